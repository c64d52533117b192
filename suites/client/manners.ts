import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { rateRules } from '../../contract/limits.ts'
import type { Window } from '../../contract/types.ts'
import type { Step } from './history.ts'

/** How a client behaves, in numbers. */

/** Groups values by a text derived from each, in order of first appearance. */
export function groupedBy<T>(values: readonly T[], by: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(by(value))
    if (group === undefined) groups.set(by(value), [value])
    else group.push(value)
  }
  return groups
}

export interface Wait {
  /** Numbers of the refused step and of the next call of the operation. */
  readonly refused: number
  readonly next: number | undefined
  readonly operation: string
  /** The wait that was asked for and the actual one, ms; undefined where the client did not call again. */
  readonly asked: number
  readonly waited: number | undefined
}

/** Calls that were on their way when a 429 was delivered, ms. */
const inFlight = 250

/** Every 429 with a Retry-After, and how long the client then waited before it called that operation again. */
export function waitsIn(steps: readonly Step[]): Wait[] {
  return steps
    .filter(({ status, retryAfter }) => status === 429 && retryAfter !== undefined)
    .map((refused) => {
      const next = steps.find(
        (step) =>
          step.n > refused.n &&
          step.operation === refused.operation &&
          step.at >= refused.ended &&
          // Parallel calls may have been sent before the client read the answer.
          (step.at > refused.ended + inFlight ||
            (step.hash === refused.hash && step.path === refused.path)),
      )
      return {
        refused: refused.n,
        next: next?.n,
        operation: refused.operation ?? refused.path,
        asked: refused.retryAfter! * 1000,
        waited: next === undefined ? undefined : next.at - refused.ended,
      }
    })
}

export interface Polls {
  readonly resource: string
  /** Numbers of the steps. */
  readonly looks: readonly number[]
  /** Pauses between two polls while the outcome was pending, ms. */
  readonly pauses: readonly number[]
  /** Polls after a final code had been delivered. */
  readonly afterFinal: readonly number[]
  /** From the first poll to the last, ms. */
  readonly span: number
}

const statusOperations: ReadonlySet<string> = new Set([
  'auth.status',
  'invoices.inSession',
  'invoices.status',
  'sessions.status',
  'sessions.invoices',
  'exports.status',
  'operations.status',
])

/** An answer that states an outcome: of one piece of work, or of every document on a list. */
const isFinal = ({ operation, outcome, code, sightings }: Step): boolean =>
  outcome === 'ok' &&
  (operation === 'sessions.invoices'
    ? sightings.length > 0 && sightings.every((one) => (one.code ?? 0) >= 200)
    : // An open session is no pending outcome: it ends when it is closed.
      (code ?? 0) >= 200)

/** Steps without those that turn to the next page of a list. */
function withoutPages(steps: readonly Step[]): Step[] {
  const hasMore = new Set<string>()
  return steps.filter(({ operation, path, facts }) => {
    if (operation !== 'sessions.invoices') return true
    const isNextPage = hasMore.delete(path)
    if (facts['hasMore'] === true) hasMore.add(path)
    return !isNextPage
  })
}

/** The polls for each asynchronous outcome. */
export function pollsIn(steps: readonly Step[]): Polls[] {
  const groups = groupedBy(
    withoutPages(steps).filter(
      ({ operation }) => operation !== undefined && statusOperations.has(operation),
    ),
    ({ operation, parameters }) => `${operation} ${Object.values(parameters).join(' ')}`,
  )
  return [...groups].map(([resource, looks]) => {
    const pauses: number[] = []
    const afterFinal: number[] = []
    let final = false
    for (const [place, look] of looks.entries()) {
      const previous = looks[place - 1]
      // A failed poll said nothing about the outcome: how soon to repeat it is a matter of faults and limits.
      if (previous?.outcome === 'ok' && !final) pauses.push(look.at - previous.ended)
      if (final) afterFinal.push(look.n)
      if (isFinal(look)) final = true
    }
    return {
      resource,
      looks: looks.map(({ n }) => n),
      pauses,
      afterFinal,
      span: looks.at(-1)!.ended - looks[0]!.at,
    }
  })
}

/** Maximum number of calls within any window of this many milliseconds. */
export function peak(times: readonly number[], window: number): number {
  let max = 0
  let first = 0
  for (const [last, at] of times.entries()) {
    while (at - times[first]! >= window) first += 1
    max = Math.max(max, last - first + 1)
  }
  return max
}

export interface Manners {
  readonly calls: number
  readonly seconds: number
  readonly retryAfter: {
    readonly refusals: number
    readonly early: number
    /** Shortest and longest time beyond what was asked, ms; negative is early. */
    readonly shortest: number | undefined
    readonly longest: number | undefined
  }
  readonly polls: {
    readonly total: number
    readonly max: number
    readonly resource: string | undefined
  }
  readonly nearestLimit: Nearness | undefined
  readonly limitsExceeded: number
  /** Greatest age of the list of certificates when the client used it, ms. */
  readonly keysAge: number | undefined
  readonly misplacedSecrets: number
  readonly advice: readonly string[]
}

const encrypting: ReadonlySet<string> = new Set([
  'auth.token',
  'sessions.openOnline',
  'sessions.openBatch',
  'exports.create',
])

export interface Nearness {
  readonly operation: OperationId
  readonly calls: number
  readonly allowed: number
  readonly window: 'second' | 'minute' | 'hour'
}

function windowOf(operation: OperationId): Window | undefined {
  const { rate } = endpoint(operation)
  return rate in rateRules ? rateRules[rate as RateRuleId].window : undefined
}

/** Where the client came nearest to a limit of the table. */
export function nearestLimit(steps: readonly Step[]): Nearness | undefined {
  const groups = groupedBy(
    steps.filter(({ operation }) => operation !== undefined),
    ({ operation }) => operation!,
  )
  return [...groups]
    .flatMap(([name, calls]): Nearness[] => {
      const operation = name as OperationId
      const limits = windowOf(operation)
      if (limits === undefined) return []
      const times = calls.map(({ at }) => at).toSorted((a, b) => a - b)
      const { perSecond, perMinute, perHour } = limits
      return [
        { operation, calls: peak(times, 1000), allowed: perSecond, window: 'second' },
        { operation, calls: peak(times, 60_000), allowed: perMinute, window: 'minute' },
        { operation, calls: peak(times, 3_600_000), allowed: perHour, window: 'hour' },
      ]
    })
    .reduce<Nearness | undefined>(
      (near, one) =>
        near === undefined || one.calls / one.allowed > near.calls / near.allowed ? one : near,
      undefined,
    )
}

/** A pause between two polls that is long enough, ms. */
const enough = 2000

/** The manners of a client over one history. */
export function mannersOf(steps: readonly Step[]): Manners {
  const waits = waitsIn(steps)
  const beyond = waits.flatMap(({ asked, waited }) =>
    waited === undefined ? [] : [waited - asked],
  )
  const polls = pollsIn(steps).toSorted((a, b) => b.looks.length - a.looks.length)
  const busiest = polls[0]
  const lists = steps.filter(
    ({ operation, outcome }) => operation === 'keys.list' && outcome === 'ok',
  )
  const ages = steps.flatMap((step) => {
    if (step.operation === undefined || !encrypting.has(step.operation)) return []
    const read = lists.findLast(({ n }) => n < step.n)
    return read === undefined ? [] : [Math.max(0, step.at - read.ended)]
  })
  const advice: string[] = []
  if (
    busiest !== undefined &&
    busiest.span > 1000 &&
    busiest.looks.length > (busiest.span / enough) * 3 + 3
  )
    advice.push(
      `the client asked for ${busiest.resource.split(' ')[0]} ${busiest.looks.length} times in ${Math.round(busiest.span / 1000)} s; every ${enough / 1000} s would have been enough (${Math.ceil(busiest.span / enough) + 1} calls)`,
    )
  return {
    calls: steps.length,
    seconds: steps.length === 0 ? 0 : Math.round((steps.at(-1)!.ended - steps[0]!.at) / 100) / 10,
    retryAfter: {
      refusals: waits.length,
      early: beyond.filter((ms) => ms < 0).length,
      shortest: beyond.length === 0 ? undefined : Math.min(...beyond),
      longest: beyond.length === 0 ? undefined : Math.max(...beyond),
    },
    polls: {
      total: polls.reduce((sum, { looks }) => sum + looks.length, 0),
      max: busiest?.looks.length ?? 0,
      resource: busiest?.resource.split(' ')[0],
    },
    nearestLimit: nearestLimit(steps),
    limitsExceeded: steps.filter(({ status, fault }) => status === 429 && fault === undefined)
      .length,
    keysAge: ages.length === 0 ? undefined : Math.max(...ages),
    misplacedSecrets: steps.filter(({ misplaced }) => misplaced.length > 0).length,
    advice,
  }
}
