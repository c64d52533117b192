import { createHash } from 'node:crypto'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { grantOf, revokeGrants } from './left-grants.ts'
import { bearerOf, createHand, maxCalls, succeeded } from './tidying-hand.ts'
import type { TidyingHand } from './tidying-hand.ts'

/** What a check leaves on a target that runs on afterwards: it is listed and, if the interface allows it, revoked. */

/** Something that a check created on a target. */
export interface LeftThing {
  readonly what: string
  readonly id: string
  /** It was revoked or removed at the end of the check. */
  readonly removed: boolean
}

interface Removal {
  readonly operation: OperationId
  readonly options: CallOptions
  /** The bearer of the call that created the thing when absent. */
  readonly bearer?: string | undefined
}

interface Kind {
  readonly what: string
  /** The id of the thing, in the answer that first names it; undefined where there is none yet. */
  readonly idIn: (exchange: Exchange) => string | undefined
  readonly removal?: (id: string, exchange: Exchange) => Removal
  /** The operation after which it is no longer there. */
  readonly removedBy?: OperationId
  /** Whether that operation names it; by its id when absent. */
  readonly isNamedIn?: (removing: Exchange, left: Left) => boolean
  /** Removed last, because the removal of other things needs it. */
  readonly last?: true
}

interface Left {
  readonly kind: Kind
  readonly id: string
  readonly made: Exchange
}

const text = (value: unknown, name: string): string | undefined => {
  const found = (value as Record<string, unknown> | null | undefined)?.[name]
  return typeof found === 'string' ? found : undefined
}

const sent = ({ request }: Exchange, name: string): string | undefined => {
  try {
    return text(JSON.parse(String(request.body)), name)
  } catch {
    return undefined
  }
}

/** The access token and the refresh token that a login returned, as strings or objects. */
const tokensOf = (body: unknown): readonly string[] =>
  ['accessToken', 'refreshToken'].flatMap((name) => {
    const stated = (body as Readonly<Record<string, unknown>> | null | undefined)?.[name]
    return text(body, name) ?? text(stated, 'token') ?? []
  })

const digestOf = (token: string | undefined): string | undefined =>
  token && createHash('sha256').update(token).digest('hex').slice(0, 16)

const session = (closes: OperationId): Kind => ({
  what: 'session',
  idIn: ({ body }) => text(body, 'referenceNumber'),
  removal: (referenceNumber) => ({ operation: closes, options: { path: { referenceNumber } } }),
  removedBy: closes,
})

const kinds: Readonly<Partial<Record<OperationId, Kind>>> = {
  'sessions.openOnline': session('sessions.closeOnline'),
  'sessions.openBatch': session('sessions.closeBatch'),
  'auth.redeem': {
    what: 'login',
    // The answer has no other id, and its tokens are secret.
    idIn: ({ body }) => digestOf(tokensOf(body)[0]),
    // The refresh token: the access token may have expired meanwhile.
    removal: (_, { body }) => ({
      operation: 'auth.revokeCurrent',
      options: {},
      bearer: tokensOf(body).at(-1),
    }),
    removedBy: 'auth.revokeCurrent',
    isNamedIn: (removing, { made }) => tokensOf(made.body).includes(bearerOf(removing) ?? ''),
    last: true,
  },
  'tokens.create': {
    what: 'service token',
    idIn: ({ body }) => text(body, 'referenceNumber'),
    removal: (referenceNumber) => ({
      operation: 'tokens.revoke',
      options: { path: { referenceNumber } },
    }),
    removedBy: 'tokens.revoke',
  },
  'certificates.enrollment': {
    what: 'certificate',
    idIn: ({ body }) => text(body, 'certificateSerialNumber'),
    removal: (certificateSerialNumber) => ({
      operation: 'certificates.revoke',
      options: {
        path: { certificateSerialNumber },
        body: { revocationReason: 'Superseded' },
      },
    }),
    removedBy: 'certificates.revoke',
  },
  'testdata.createSubject': {
    what: 'test subject',
    idIn: (exchange) => sent(exchange, 'subjectNip'),
    removal: (subjectNip) => ({
      operation: 'testdata.removeSubject',
      options: { body: { subjectNip } },
    }),
    removedBy: 'testdata.removeSubject',
  },
  'testdata.createPerson': {
    what: 'test person',
    idIn: (exchange) => sent(exchange, 'nip'),
    removal: (nip) => ({ operation: 'testdata.removePerson', options: { body: { nip } } }),
    removedBy: 'testdata.removePerson',
  },
  ...Object.fromEntries(
    (
      [
        'permissions.grantPerson',
        'permissions.grantEntity',
        'permissions.grantAuthorization',
        'permissions.grantIndirect',
        'permissions.grantSubunit',
        'permissions.grantEuAdministration',
        'permissions.grantEu',
      ] as const
    ).map((operation) => [
      operation,
      {
        what: 'permission',
        idIn: ({ body }: Exchange) => text(body, 'referenceNumber'),
      } satisfies Kind,
    ]),
  ),
}

/** What the successful calls of a check created and did not remove again. */
const leftBy = (exchanges: readonly Exchange[]): readonly Left[] => {
  const left = new Map<string, Left>()
  for (const exchange of exchanges.filter(succeeded)) {
    const { operation, request } = exchange
    const kind = operation === undefined ? undefined : kinds[operation]
    const id = kind?.idIn(exchange)
    if (kind !== undefined && id !== undefined)
      left.set(`${kind.what} ${id}`, { kind, id, made: exchange })
    for (const [key, one] of left)
      if (
        one.kind.removedBy === operation &&
        (one.kind.isNamedIn?.(exchange, one) ??
          `${request.url} ${String(request.body)}`.includes(one.id))
      )
        left.delete(key)
  }
  return [...left.values()]
}

const remove = async ({ kind, id, made }: Left, hand: TidyingHand): Promise<boolean> => {
  const removal = kind.removal?.(id, made)
  if (removal === undefined) return false
  const { operation, options, bearer } = removal
  const answer = await hand.call(made, operation, { ...options, ...(bearer && { bearer }) })
  return answer !== undefined && succeeded(answer)
}

/** What a check did, and how much its leftovers may cost. */
export interface Tidying {
  readonly exchanges: readonly Exchange[]
  /** Whom the limits count the calls of each `Authorization` for. */
  readonly callers?: ReadonlyMap<string, string>
  /** The target does not answer: everything is listed, nothing called. */
  readonly lost?: boolean
}

/** Revokes, closes and removes what it can of the things that a check left, within a bound; returns all of them. */
export const tidyUp = async (
  client: Client,
  { exchanges, callers = new Map(), lost = false }: Tidying,
): Promise<readonly LeftThing[]> => {
  const hand = createHand(client, callers, lost ? 0 : maxCalls)
  const things: LeftThing[] = []
  const all = leftBy(exchanges)
  const isGrant = ({ made }: Left) => grantOf(made) !== undefined
  const take = async (some: readonly Left[]) => {
    for (const left of some)
      things.push({ what: left.kind.what, id: left.id, removed: await remove(left, hand) })
  }
  await take(all.filter((left) => !isGrant(left) && left.kind.last !== true))
  for (const { made, state } of await revokeGrants(
    all.filter(isGrant).map((left) => left.made),
    exchanges,
    hand,
  ))
    if (state !== 'gone')
      things.push({
        what: 'permission',
        id: text(made.body, 'referenceNumber') ?? '',
        removed: state === 'revoked',
      })
  await take(all.filter((left) => left.kind.last === true))
  return things
}
