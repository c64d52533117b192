import { exactlyOnce } from '../exactly-once.ts'
import { groupedBy } from '../manners.ts'
import type { History, Step } from '../history.ts'
import type { Opinion } from '../opinion.ts'
import { convicted, notExercised, passed } from '../opinion.ts'

/** Whether the client loses invoices or repeats calls excessively when it meets faults. */

const rule = 'client.faults.survived'

/** More repetitions of one call within a second than this are a storm. */
const inASecond = 5

const failed = ({ outcome, status }: Step): boolean =>
  outcome === 'unknown' || status === 429 || (status !== undefined && status >= 500)

const sameCall = (a: Step, b: Step): boolean =>
  a.operation === b.operation && a.path === b.path && a.hash === b.hash

/** Maximum number of times that a client may repeat a call that the service refuses each time. */
const refusalsAtMost = 15

const isRefused = ({ outcome, status, method }: Step): boolean =>
  outcome === 'fail' &&
  status !== undefined &&
  status >= 400 &&
  status < 500 &&
  status !== 401 &&
  status !== 429 &&
  method !== 'GET'

/** Calls that were repeated although the service refused them in the same way each time. */
function stubbornness(steps: readonly Step[]): Opinion[] {
  const groups = groupedBy(
    steps.filter(isRefused),
    ({ operation, path, hash, status }) => `${operation} ${hash ?? path} ${status}`,
  )
  return [...groups.values()]
    .filter(({ length }) => length > refusalsAtMost)
    .slice(0, 1)
    .map(([first, ...more]) =>
      convicted(
        rule,
        `the client made the same call ${more.length + 1} times although the service refused it each time with ${first!.status}${first!.details?.[0] === undefined ? '' : `: ${first!.details[0]}`}`,
        [first!.n, ...more.slice(0, 3).map(({ n }) => n)],
        { advice: 'a refusal (4xx) stays one: report it, and repeat only what may succeed' },
      ),
    )
}

/** A call in which the service accepted or returned an invoice. */
const hasInvoice = ({ outcome, operation, hash, sightings, listed, receiptOf }: Step): boolean =>
  outcome === 'ok' &&
  (hash !== undefined ||
    sightings.length > 0 ||
    (listed ?? []).length > 0 ||
    receiptOf !== undefined ||
    operation === 'sessions.closeBatch')

/** Whether the client had invoices to lose: those of its task, or those that the service accepted or returned. */
const hadInvoices = ({ held, task, steps }: History): boolean =>
  steps.some(hasInvoice) ||
  // Where only answers show the outcome of a document, an unanswered submission shows nothing.
  (held !== undefined && [...(task?.documents ?? []), ...(task?.toReceive ?? [])].length > 0)

export function faultsSurvived(history: History): Opinion[] {
  const stubborn = stubbornness(history.steps)
  if (stubborn.length > 0) return stubborn
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
  if (!hadInvoices(history))
    return [notExercised(rule, 'the client met faults, and no invoice was at stake')]
  return [
    passed(
      rule,
      `${met.length} faults met, nothing lost`,
      met.slice(0, 3).map(({ n }) => n),
      about,
    ),
  ]
}
