import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import type { Exchange } from '../../lib/exchange.ts'

/** What a check leaves on a target that goes on afterwards: listed, and where the interface allows revoked. */

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
}

interface Kind {
  readonly what: string
  /** The thing in the answer of the operation that makes it known; undefined where there is none yet. */
  readonly idIn: (exchange: Exchange) => string | undefined
  readonly removal?: (id: string, exchange: Exchange) => Removal
  /** The operation after which it is no longer there, and where that names it. */
  readonly removedBy?: OperationId
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

const kinds: Readonly<Partial<Record<OperationId, Kind>>> = {
  'sessions.openOnline': { what: 'session', idIn: ({ body }) => text(body, 'referenceNumber') },
  'sessions.openBatch': { what: 'session', idIn: ({ body }) => text(body, 'referenceNumber') },
  'auth.redeem': { what: 'login (ends by itself)', idIn: ({ startedAt }) => String(startedAt) },
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

const succeeded = ({ status }: Exchange): boolean => status >= 200 && status < 300

interface Left {
  readonly kind: Kind
  readonly id: string
  readonly made: Exchange
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
        `${request.url} ${String(request.body)}`.includes(one.id)
      )
        left.delete(key)
  }
  return [...left.values()]
}

const bearerOf = ({ request }: Exchange): string | undefined =>
  request.headers['authorization']?.replace(/^Bearer /, '')

const revoke = async (client: Client, { kind, id, made }: Left): Promise<boolean> => {
  const removal = kind.removal?.(id, made)
  if (removal === undefined) return false
  const bearer = bearerOf(made)
  try {
    const identity = bearer === undefined ? {} : { bearer }
    return succeeded(await client.with(identity).call(removal.operation, removal.options))
  } catch {
    // It stays on the list.
    return false
  }
}

/** Revokes what can be revoked of what a check left; gives all of it. */
export const tidyUp = async (
  client: Client,
  exchanges: readonly Exchange[],
): Promise<readonly LeftThing[]> => {
  const things: LeftThing[] = []
  for (const left of leftBy(exchanges))
    things.push({ what: left.kind.what, id: left.id, removed: await revoke(client, left) })
  return things
}
