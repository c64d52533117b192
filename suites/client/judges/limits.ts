import type { History, Step } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, notVerifiable, passed } from '../opinion.ts'
import { groupedBy, nearestLimit, waitsIn } from '../manners.ts'

/** Whether the client waits for Retry-After, and paces itself. */

/** Timers of a client may fire this much early, ms. */
const timerGrace = 25

const waits = (history: History): Opinion => {
  const rule = 'client.limits.respected'
  const about = { variant: 'waits' }
  const all = waitsIn(history.steps)
  if (all.length === 0) return notExercised(rule, 'the client received no 429', about)
  const early = all.filter(
    ({ asked, waited }) => waited !== undefined && waited < asked - timerGrace,
  )
  if (early.length > 0) {
    const worst = early.toSorted((a, b) => a.waited! - a.asked - (b.waited! - b.asked))[0]!
    return convicted(
      rule,
      `asked to wait ${worst.asked / 1000} s, the client called ${worst.operation} again after ${(worst.waited! / 1000).toFixed(1)} s; early ${early.length} of ${all.length} times`,
      [worst.refused, worst.next!],
      { ...about, advice: 'wait at least Retry-After seconds from the answer on' },
    )
  }
  return passed(
    rule,
    `the client obeyed Retry-After ${all.length === 1 ? 'once' : `${all.length} times`}`,
    all.map(({ refused }) => refused),
    about,
  )
}

/** A 429 that the service answered because of the client's own calls. */
const isOwnRefusal = ({ status, fault }: Step): boolean => status === 429 && fault === undefined

/** Whether the calls exceed a window of the rate table. */
function exceedsTable(steps: readonly Step[]): boolean {
  const nearest = nearestLimit(steps)
  return nearest !== undefined && nearest.calls > nearest.allowed
}

/** Minimum number of calls that make a history conclusive about pacing. */
const telling = 8

const paces = ({ steps, simulatedLimits, source }: History): Opinion => {
  const rule = 'client.limits.respected'
  const about = { variant: 'paces' }
  const hasRead = steps.some(
    ({ operation, outcome }) => operation === 'limits.rates' && outcome === 'ok',
  )
  if (simulatedLimits === true && !hasRead)
    return notExercised(rule, 'the client did not read the limits that the service stated', about)
  const refused = steps.filter(isOwnRefusal)
  // A recording shows neither other clients of the context nor faults on the way.
  if (refused.length > 0 && source !== 'journal' && !exceedsTable(steps))
    return notVerifiable(
      rule,
      `429 came ${refused.length === 1 ? 'once' : `${refused.length} times`}, and the recorded calls are within the limits of the table`,
      about,
    )
  if (refused.length > 0) {
    const first = refused[0]!
    return convicted(
      rule,
      `the service refused ${refused.length} calls because the client exceeded its limits, first ${first.operation}${first.details?.[0] ? `: ${first.details[0]}` : ''}`,
      refused.slice(0, 5).map(({ n }) => n),
      { ...about, advice: 'space the calls so that each window of the rate table has room' },
    )
  }
  const busiest = Math.max(
    0,
    ...[...groupedBy(steps, ({ operation }) => operation ?? '').values()].map(
      ({ length }) => length,
    ),
  )
  if (busiest < telling)
    return notExercised(rule, 'the client made too few calls to come near a limit', about)
  return passed(rule, `${steps.length} calls, none above the limits`, [], about)
}

export const limitsRespected = (history: History): Opinion[] => [waits(history), paces(history)]
