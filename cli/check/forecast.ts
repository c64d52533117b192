import { dialectOf, dialects } from '../../contract/dialects.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { capabilities } from '../../contract/types.ts'
import { keptFactor, opensContexts } from '../../lib/node/target.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { countedAs, thresholdsOf } from '../../lib/pacer.ts'
import { waitsOf } from '../../lib/plan/cycles.ts'
import { timetable } from '../../lib/plan/timetable.ts'
import type { Bound } from '../../lib/plan/timetable.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { capabilitiesOf } from '../../suites/support/service/capabilities.ts'
import type { ScheduledCheck } from '../../suites/support/run/schedule.ts'
import { absenceOf, rowOf } from '../../suites/support/checks/rule.ts'
import { grouped } from '../../reports/finding.ts'
import type { RegisteredCheck } from '../registered.ts'
import type { EarlierCalls } from '../begin-at.ts'
import { nothingEarlier } from '../begin-at.ts'
import { howToDeclare } from '../capability-gain.ts'
import { costOf, joined } from './costs.ts'
import { ordersOf } from './rounds.ts'
import type { Rounds } from './rounds.ts'
import { claimsOf, simulate } from './simulate.ts'
import type { Counted, Setting } from './simulate.ts'

/** What a run against a target will consist of, and how long it takes at best. */

/** The calls of a run that are counted together. */
export interface RowForecast {
  readonly row: string
  readonly calls: number
  /** Of the context, or for public calls of the address, with the most of them. */
  readonly callsOfOne: number
  readonly thresholds: Thresholds | undefined
  /** Milliseconds that these calls take at best. */
  readonly ms: number
  /** The window that makes them wait longest. */
  readonly bound: Bound | undefined
}

/** How a run goes. */
export interface Course {
  /** Milliseconds that it takes at best. */
  readonly ms: number
  /** Milliseconds of waits that need patience, those of all workers. */
  readonly patienceMs: number
  /** Checks that find no room. */
  readonly withoutRoom: readonly RegisteredCheck[]
  /** Milliseconds until the end of each check, without waits that need patience. */
  readonly workMs: ReadonlyMap<RegisteredCheck, number>
}

export interface Forecast {
  /** In the order in which they run. */
  readonly runs: readonly RegisteredCheck[]
  readonly schedule: readonly ScheduledCheck[]
  /** Why checks will not run, and which. */
  readonly notRun: readonly {
    readonly reason: string
    readonly checks: readonly RegisteredCheck[]
  }[]
  readonly rows: readonly RowForecast[]
  /** The run with the patience that it has. */
  readonly planned: Course
  /** The run when it waits for everything. */
  readonly whole: Course
  /** Calls of earlier runs that the target still counts. */
  readonly earlier: number
}

export interface ForecastOptions {
  readonly profile: TargetProfile
  readonly patienceMs: number
  readonly workers: number
  /** Those of earlier runs in the contexts of the profile. */
  readonly earlier?: EarlierCalls
}

/** The contexts that all checks share; undefined where each check opens as many as it needs. */
const sharedContexts = (profile: TargetProfile) =>
  opensContexts(profile) ? undefined : Math.max(1, profile.contexts?.length ?? 0)

const reasonAgainst = (
  check: RegisteredCheck,
  held: ReadonlySet<string>,
  profile: TargetProfile,
): string | undefined => {
  const { rule, variant } = check
  const dialect = dialects[(dialectOf(profile.dialect ?? 'svc')?.id ?? 'svc') as 'svc']
  const absent = absenceOf(dialect, { rule, variant })
  if (absent !== undefined) return `not applicable: ${absent}`
  const shared = sharedContexts(profile)
  const { contexts, spareContexts } = costOf(check)
  const need =
    rowOf(rule, variant).needs?.find((one) => !held.has(one)) ??
    (shared !== undefined && contexts - spareContexts > shared ? 'second' : undefined)
  return need && `needs ${need} (${capabilities[need]}): ${howToDeclare[need]}`
}

/** The thresholds that a run keeps, as the clients of the checks do. */
const thresholdsAt = (profile: TargetProfile) => {
  const dialect = dialectOf(profile.dialect ?? 'svc') ?? dialects.svc
  return (row: string): Thresholds | undefined =>
    thresholdsOf(row in endpoints ? 'default' : row, dialect, keptFactor(profile))
}

/** The rows of a simulated run; each takes as long as the subject with the most calls needs. */
const rowsOf = (counted: readonly Counted[], { limits }: Setting): readonly RowForecast[] => {
  const rows = new Map<string, { calls: number; callsOfOne: number }>()
  for (const { row, times } of counted) {
    const sum = rows.get(row) ?? { calls: 0, callsOfOne: 0 }
    rows.set(row, {
      calls: sum.calls + times.length,
      callsOfOne: Math.max(sum.callsOfOne, times.length),
    })
  }
  return [...rows]
    .map(([row, { calls, callsOfOne }]) => {
      const thresholds = limits(row)
      const bursts = timetable(row, thresholds, callsOfOne)
      return {
        row,
        calls,
        callsOfOne,
        thresholds,
        ms: bursts.at(-1)?.at ?? 0,
        bound: waitsOf(bursts)[0]?.bound,
      }
    })
    .toSorted((a, b) => b.ms - a.ms || b.calls - a.calls)
}

export const forecast = (
  checks: readonly RegisteredCheck[],
  { profile, patienceMs, workers, earlier = nothingEarlier }: ForecastOptions,
): Forecast => {
  const held = capabilitiesOf(profile, false)
  const byReason = grouped(checks, (check) => reasonAgainst(check, held, profile) ?? '')
  const dialect = dialectOf(profile.dialect ?? 'svc') ?? dialects.svc
  const counted = (row: string) => (row in endpoints ? row : countedAs(row, dialect))
  const setting: Setting = {
    limits: thresholdsAt(profile),
    makes: (row) => held.has('testdata') || !row.startsWith('testdata.'),
    contexts: sharedContexts(profile),
    counted,
    earlier(context, row) {
      const { kind, value } = profile.contexts?.[context] ?? {}
      const times = earlier.calls[`${kind} ${value} ${counted(row)}`] ?? []
      return times.map((at) => at - earlier.beginAt)
    },
  }
  const orders = ordersOf(joined(byReason.get('') ?? []), setting)
  const courseIn = (rounds: Rounds, given: number) => {
    const { ms, counted: made, ...more } = simulate(rounds.flat(), setting, given)
    const rows = rowsOf(made, setting)
    // Workers share the work, and the limits that all of them keep within.
    return { rounds, rows, ms: Math.max(ms / workers, ...rows.map((row) => row.ms)), ...more }
  }
  const bestWith = (given: number) =>
    orders
      .map((rounds) => courseIn(rounds, given))
      .reduce((best, other) =>
        (other.withoutRoom.length - best.withoutRoom.length || other.ms - best.ms) < 0
          ? other
          : best,
      )
  const { rows, ...whole } = bestWith(Number.POSITIVE_INFINITY)
  const { rounds, ...planned } = bestWith(patienceMs)
  const withoutRoom = new Set(planned.withoutRoom)
  return {
    runs: rounds.flat(),
    schedule: rounds.flatMap((checksOfRound, round) =>
      checksOfRound.map((check) => ({
        rule: check.rule,
        variant: check.variant,
        round,
        claims: claimsOf(check, setting),
        mayWaitLong: !withoutRoom.has(check),
        plannedMs: (planned.workMs.get(check) ?? 0) / workers,
      })),
    ),
    notRun: [...byReason]
      .filter(([reason]) => reason !== '')
      .map(([reason, against]) => ({ reason, checks: against }))
      .toSorted((a, b) => b.checks.length - a.checks.length),
    rows,
    planned,
    whole,
    earlier: Object.values(earlier.calls).flat().length,
  }
}
