import type { History, Step } from '../history.ts'
import { pollsIn } from '../manners.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

/** Whether the client pauses between polls and stops polling when there is an outcome. */

/** A median pause shorter than this, ms, over at least `inARow` pauses is a busy loop. */
const shortestPause = 100
const inARow = 8

/** Codes from here on are outcomes. */
const final = 200

/** Calls for an outcome after it was final that are legitimate, for example to get a fresh link. */
const afterTheEnd = 5

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const rule = 'client.polling.bounded'

/** Redemptions of a login whose success the client did not wait for. */
function early(steps: readonly Step[]): Opinion[] {
  const isRefused = ({ operation, outcome, fault, status, refusal }: Step) =>
    operation === 'auth.redeem' &&
    outcome === 'fail' &&
    fault === undefined &&
    status === 400 &&
    refusal !== 'expired-authentication-token'
  const first = steps.find(
    (step) =>
      isRefused(step) &&
      !steps.some(
        ({ n, operation, bearerId, code }) =>
          n < step.n &&
          operation === 'auth.status' &&
          bearerId === step.bearerId &&
          (code ?? 0) >= final,
      ),
  )
  if (first === undefined) return []
  return [
    convicted(
      rule,
      'the client redeemed the authentication token before the login had succeeded',
      [first.n],
      {
        advice: 'ask for the status of the login until its code is 200, then redeem',
        explains: true,
      },
    ),
  ]
}

export function pollingBounded(history: History): Opinion[] {
  const polls = pollsIn(history.steps)
  const wrong = polls.flatMap(({ resource, looks, pauses, afterFinal }): Opinion[] => {
    if (pauses.length >= inARow && median(pauses) < shortestPause)
      return [
        convicted(
          rule,
          `the client asked for ${resource} ${looks.length} times with pauses of ${Math.round(median(pauses))} ms`,
          looks.slice(0, 5),
          { advice: 'pause between two looks: every 2 s is enough' },
        ),
      ]
    if (afterFinal.length > afterTheEnd)
      return [
        convicted(
          rule,
          `the client asked for ${resource} ${afterFinal.length} times after it had received the outcome`,
          afterFinal.slice(0, 5),
          { advice: 'stop when the code is final (200 and above)' },
        ),
      ]
    return []
  })
  wrong.push(...early(history.steps))
  if (wrong.length > 0) return wrong
  const waited = polls.filter(({ pauses }) => pauses.length > 0)
  if (waited.length === 0) return [notExercised(rule, 'every outcome was there at the first look')]
  return [
    passed(rule, `${waited.length} outcomes awaited with pauses`, waited[0]!.looks.slice(0, 3)),
  ]
}
