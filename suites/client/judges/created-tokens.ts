import type { History, Step } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, passed } from '../opinion.ts'

/**
 * What the client does when the creation of a service token got no answer: the token's value is in that answer only.
 */

const rule = 'client.outcome.unknown-resolved'
const advice =
  'list the service tokens by description, revoke the one whose value was lost, and create another'

const isCreation = ({ operation }: Step): boolean => operation === 'tokens.create'
const isDone = ({ outcome, committed }: Step): boolean => outcome === 'ok' || committed === true

export function createdTokens({ steps }: History): Opinion[] {
  const creations = steps.filter(isCreation)
  const lost = creations.find(({ outcome }) => outcome === 'unknown')
  if (lost === undefined) return []
  const next = creations.find(({ n }) => n > lost.n)
  const looked = steps.find(
    ({ operation, outcome, n }) =>
      operation === 'tokens.list' && outcome === 'ok' && n > lost.n && n < (next?.n ?? Infinity),
  )
  if (looked === undefined)
    return [
      convicted(
        rule,
        `the creation of a service token got no answer; the client ${next === undefined ? 'did not find out whether the token exists' : 'created another without finding out'}`,
        [lost.n, ...(next === undefined ? [] : [next.n])],
        { advice },
      ),
    ]
  const revocations = steps.filter(
    ({ operation, outcome }) => operation === 'tokens.revoke' && outcome === 'ok',
  )
  const alive = creations.filter(isDone).length - revocations.length
  if (alive > 1)
    return [
      convicted(
        rule,
        `${alive} service tokens are active, and the client received the value of one only`,
        [lost.n, looked.n, ...creations.filter(({ n }) => n > lost.n).map(({ n }) => n)],
        { advice },
      ),
    ]
  return [
    passed(rule, 'the client looked for the service token before it went on', [lost.n, looked.n]),
  ]
}
