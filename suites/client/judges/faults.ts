import { exactlyOnce } from '../exactly-once.ts'
import type { History, Step } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

/** Whether faults cost the client invoices or its manners. */

const rule = 'client.faults.survived'

/** More repetitions of one call within a second than this are a storm. */
const inASecond = 5

const failed = ({ outcome, status }: Step): boolean =>
  outcome === 'unknown' || status === 429 || (status !== undefined && status >= 500)

const sameCall = (a: Step, b: Step): boolean =>
  a.operation === b.operation && a.path === b.path && a.hash === b.hash

export function faultsSurvived(history: History): Opinion[] {
  const met = history.steps.filter((step) => failed(step) || step.fault !== undefined)
  if (met.length === 0) return [notExercised(rule, 'the client met no fault')]
  const about = history.blames === rule ? { variant: history.variant } : {}
  for (const step of met.filter(failed)) {
    const again = history.steps.filter(
      (one) => sameCall(one, step) && one.n > step.n && one.at <= step.ended + 1000,
    )
    if (again.length > inASecond)
      return [
        convicted(
          rule,
          `after ${step.fault ?? `a ${step.status}`} the client repeated ${step.operation} ${again.length} times within a second`,
          [step.n, ...again.slice(0, 3).map(({ n }) => n)],
          { ...about, advice: 'wait longer before each repetition, and stop after some' },
        ),
      ]
  }
  if (exactlyOnce(history).length > 0) return []
  return [
    passed(
      rule,
      `${met.length} faults met, nothing lost`,
      met.slice(0, 3).map(({ n }) => n),
      about,
    ),
  ]
}
