import type { OperationId } from '../../../contract/endpoints.ts'
import { createCallerContexts, givesAccess } from '../../../lib/caller-contexts.ts'
import type { Client } from '../../../lib/client.ts'
import { succeeded } from '../../../lib/exchange.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { grantOf, revokeGrants } from './left-grants.ts'
import { kinds, text } from './left-kinds.ts'
import type { Left } from './left-kinds.ts'
import { createHand, maxCalls } from './tidying-hand.ts'
import type { Callers, TidyingHand } from './tidying-hand.ts'

/** What a check leaves on a target that runs on afterwards: it is listed and, if the interface allows it, revoked. */

/** Something that a check created on a target. */
export interface LeftThing {
  readonly what: string
  readonly id: string
  /** It was revoked or removed at the end of the check. */
  readonly removed: boolean
}

/** Also those who logged in and made no further call: their requests name the context. */
const withLogins = (
  callers: Callers,
  exchanges: readonly Exchange[],
  { codec, dialect }: Pick<Client, 'codec' | 'dialect'>,
): Callers => {
  const contexts = createCallerContexts(codec)
  for (const { request, operation, status, headers, bytes: body } of exchanges) {
    const context = contexts.of(request, operation, dialect)
    if (context !== undefined && givesAccess(operation))
      contexts.learn(context, operation, { status, headers, body }, dialect)
  }
  return {
    get: (authorization) =>
      contexts.of({ method: 'GET', url: '', headers: { authorization } }, undefined, dialect) ??
      callers.get(authorization),
  }
}

/** What the successful calls of a check created and did not remove again. */
const leftBy = (exchanges: readonly Exchange[], callers: Callers): readonly Left[] => {
  const left = new Map<string, Left>()
  for (const exchange of exchanges.filter(succeeded)) {
    const { operation, request } = exchange
    const kind = operation === undefined ? undefined : kinds[operation]
    const caller = callers.get(request.headers['authorization'] ?? '')
    const id = kind?.idIn(exchange, caller)
    if (kind !== undefined && id !== undefined)
      left.set(`${kind.what} ${id}`, { kind, id, made: exchange })
    for (const [key, one] of left)
      if (
        one.kind.removedBy === operation &&
        (one.kind.isNamedIn?.(exchange, one, caller) ??
          `${request.url} ${String(request.body)}`.includes(one.id))
      )
        left.delete(key)
  }
  return [...left.values()]
}

const remove = async (
  { kind, id, made }: Left,
  hand: TidyingHand,
  { callers, leavesRoom }: Required<Pick<Tidying, 'callers' | 'leavesRoom'>>,
): Promise<boolean> => {
  const removal = kind.removal?.(id, made)
  if (removal === undefined) return false
  const { operation, options, bearer } = removal
  const context = callers.get(made.request.headers['authorization'] ?? '')
  if (kind.endsItself && context !== undefined && !(await leavesRoom(context, operation)))
    return false
  const answer = await hand.call(made, operation, { ...options, ...(bearer && { bearer }) })
  return answer !== undefined && succeeded(answer)
}

/** What a check did, and how much its leftovers may cost. */
export interface Tidying {
  readonly exchanges: readonly Exchange[]
  /** Whom the limits count the calls of each `Authorization` for. */
  readonly callers?: Callers
  /** The target does not answer: everything is listed, nothing called. */
  readonly lost?: boolean
  /** Whether a call in a context leaves room within the limits for checks to come; it does when absent. */
  readonly leavesRoom?: (context: string, operation: OperationId) => Promise<boolean>
}

/** Revokes, closes and removes what it can of the things that a check left, within a bound; returns all of them. */
export const tidyUp = async (
  client: Client,
  {
    exchanges,
    callers: paced = new Map<string, string>(),
    lost = false,
    leavesRoom = () => Promise.resolve(true),
  }: Tidying,
): Promise<readonly LeftThing[]> => {
  const callers = withLogins(paced, exchanges, client)
  const hand = createHand(client, callers, lost ? 0 : maxCalls)
  const things: LeftThing[] = []
  const all = leftBy(exchanges, callers)
  const isGrant = ({ made }: Left) => grantOf(made) !== undefined
  const take = async (some: readonly Left[]) => {
    for (const left of some)
      things.push({
        what: left.kind.what,
        id: left.id,
        removed: await remove(left, hand, { callers, leavesRoom }),
      })
  }
  const inTurn = (turn: Left['kind']['turn']) =>
    all.filter((left) => !isGrant(left) && left.kind.turn === turn)
  await take(inTurn('first'))
  await take(inTurn(undefined))
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
  await take(inTurn('last'))
  return things
}
