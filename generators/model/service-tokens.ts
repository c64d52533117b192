import { expectText } from '../../lib/outcome.ts'
import { poll } from '../../lib/poll.ts'
import { agree } from './divergence.ts'
import type { TokenState } from './state.ts'
import type { World } from './world.ts'

/** Service tokens as their records show them. */

const order: readonly string[] = ['Pending', 'Active', 'Revoking', 'Revoked']

/** Reads the state of a token: it must be reachable from the last one seen. */
export const lookAtToken = async (world: World, token: TokenState): Promise<string> => {
  const handle = world.handles.serviceTokens.get(token)
  if (handle === undefined) throw new Error('the world does not know the token')
  const { referenceNumber, seen } = handle
  const observer = await world.observer(token.party.context)
  const look = await observer.call('tokens.status', { path: { referenceNumber } })
  const status = expectText(look, 'look at the service token', 'status')
  const before = seen.at(-1)
  const forward =
    order.includes(status) &&
    (before === undefined || order.indexOf(before) <= order.indexOf(status))
  const wanted = before === undefined ? 'a state of a token' : `state ${before}, or one after it`
  agree(world, 'tokens.status.moves-forward', forward, wanted, `state ${status}`, look)
  if (before !== status) seen.push(status)
  return status
}

/** Awaits a state of a token. */
export const settleToken = async (
  world: World,
  token: TokenState,
  wanted: 'Active' | 'Revoked',
): Promise<void> => {
  const { client } = world
  const { done, last } = await poll(
    () => lookAtToken(world, token),
    (status) => status === wanted,
    { ...client.polling, sleep: client.sleep },
  )
  const rule = wanted === 'Active' ? 'tokens.status.moves-forward' : 'tokens.revoke.rights'
  // Where time passes by itself, it may only take longer.
  if (world.still) agree(world, rule, done, `a token that becomes ${wanted}`, `state ${last}`)
}
