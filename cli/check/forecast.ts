import { dialectOf, dialects } from '../../contract/dialects.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { capabilities } from '../../contract/types.ts'
import { opensContexts } from '../../lib/node/target.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { countedAs, thresholdsOf } from '../../lib/pacer.ts'
import { waitsOf } from '../../lib/plan/cycles.ts'
import { createLane, place, timetable } from '../../lib/plan/timetable.ts'
import type { Bound, Lane } from '../../lib/plan/timetable.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { capabilitiesOf } from '../../suites/support/capabilities.ts'
import { shortWait } from '../../suites/support/patience.ts'
import type { Claim, ClaimingCheck } from '../../suites/support/room.ts'
import { absenceOf, rowOf } from '../../suites/support/rule.ts'
import { grouped } from '../../reports/finding.ts'
import type { RegisteredCheck } from '../registered.ts'
import { howToDeclare } from '../capability-gain.ts'
import { costOf } from './costs.ts'

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
}

export interface Forecast {
  readonly runs: readonly RegisteredCheck[]
  /** What those that run need room for as a whole. */
  readonly claims: readonly ClaimingCheck[]
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
}

export interface ForecastOptions {
  readonly profile: TargetProfile
  readonly patienceMs: number
  readonly workers: number
}

const levels = ['MUST', 'SHOULD', 'MAY'] as const

/** The order of a run: what must hold first. Within a level the order of the files, which is Playwright's. */
export const inOrder = (checks: readonly RegisteredCheck[]): readonly RegisteredCheck[] => {
  const rank = ({ rule, variant }: RegisteredCheck) =>
    rowOf(rule, variant).level === levels[0] ? 0 : 1
  return checks.toSorted(
    (a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0),
  )
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
  const need =
    rowOf(rule, variant).needs?.find((one) => !held.has(one)) ??
    (shared !== undefined && costOf(check).contexts > shared ? 'second' : undefined)
  return need && `needs ${need} (${capabilities[need]}): ${howToDeclare[need]}`
}

/** The thresholds that a run keeps, as the clients of the checks do. */
const thresholdsAt = ({ dialect: id = 'svc', rateFactor = 1, pacingShare = 1 }: TargetProfile) => {
  const dialect = dialectOf(id) ?? dialects.svc
  return (row: string): Thresholds | undefined =>
    thresholdsOf(row in endpoints ? 'default' : row, dialect, rateFactor * pacingShare)
}

const isOfAddress = (row: string): boolean => row === 'public'

/** What a run is simulated with. */
interface Setting {
  /** Those that all checks share; undefined where each takes contexts as it needs them. */
  readonly contexts: number | undefined
  readonly limits: (row: string) => Thresholds | undefined
  /** Whether checks make the calls of a row: they simulate limits only where they may. */
  readonly makes: (row: string) => boolean
  /** The rate rule that the calls of a row are counted under. */
  readonly counted: (row: string) => string
}

/** The calls of one row that are counted together, as a simulated run makes them. */
interface Counted {
  readonly row: string
  /** When each was made. */
  readonly times: readonly number[]
}

const longestWindow = 3_600_000

const laneAfter = (times: readonly number[], row: string, limits: Setting['limits']): Lane => {
  const lane = createLane(row, limits(row))
  const from = times.findLastIndex((at) => at < (times.at(-1) ?? 0) - longestWindow) + 1
  for (const at of times.slice(from)) place(lane, at)
  return lane
}

/** The room that a check needs as a whole: what it calls more than once, where an hour has a limit. */
const claimsOf = (check: RegisteredCheck, { limits, makes, counted }: Setting): Claim[] => {
  const { calls, callsOfOne = {} } = costOf(check)
  const claims = new Map<string, Claim>()
  for (const [row, count] of Object.entries(calls)) {
    const thresholds = limits(row)
    if (thresholds?.perHour === undefined || !makes(row)) continue
    const rule = counted(row)
    const more = Math.round(callsOfOne[row] ?? count) + (claims.get(rule)?.calls ?? 0)
    claims.set(rule, { rule, thresholds, calls: more })
  }
  return [...claims.values()].filter((claim) => claim.calls > 1)
}

/** What becomes of a check that begins at a time with some patience. */
interface Attempt {
  readonly made: ReadonlyMap<string, Counted>
  /** A wait delays everything that the check does afterwards. */
  readonly delayMs: number
  /** How much of it needs patience. */
  readonly longWaitMs: number
  /** Whether it gave up. */
  readonly refused: boolean
}

const attempt = (
  check: RegisteredCheck,
  setting: Setting,
  before: ReadonlyMap<string, Counted>,
  { index, begun, patienceMs }: { index: number; begun: number; patienceMs: number },
): Attempt => {
  const { contexts, limits, makes } = setting
  const { ms, calls, callsOfOne = {} } = costOf(check)
  const made = new Map<string, Counted & { readonly times: number[]; readonly lane: Lane }>()
  let delayMs = 0
  let longWaitMs = 0
  const laneFor = (subject: string, row: string) => {
    const key = `${subject} ${row}`
    const known = made.get(key)
    if (known !== undefined) return known
    const own = { row, times: [], lane: laneAfter(before.get(key)?.times ?? [], row, limits) }
    made.set(key, own)
    return own
  }
  // As in a run, a check in a shared context begins when there is room for all of it.
  if (contexts !== undefined)
    for (const { rule, calls: together } of claimsOf(check, setting))
      delayMs = Math.max(
        delayMs,
        laneFor(String(index % contexts), rule).lane.windows.roomFor(begun, together) - begun,
      )
  if (delayMs > shortWait) longWaitMs = delayMs
  if (longWaitMs > patienceMs) return { made, delayMs: 0, longWaitMs: 0, refused: true }
  for (const [row, count] of Object.entries(calls).filter(([name]) => makes(name)))
    for (let call = 0; call < Math.round(count); call += 1) {
      const ofOne = callsOfOne[row] ?? count
      const caller = contexts === undefined ? [index, Math.floor(call / ofOne)] : [index % contexts]
      const { lane, times } = laneFor(isOfAddress(row) ? 'address' : caller.join(' '), row)
      const due = Math.max(begun + delayMs + (ms * call) / count, lane.last)
      const wait = lane.windows.nextFree(due) - due
      if (wait > shortWait && longWaitMs + wait > patienceMs)
        return { made, delayMs, longWaitMs, refused: true }
      if (wait > shortWait) longWaitMs += wait
      delayMs += wait
      times.push(place(lane, due).at)
    }
  return { made, delayMs, longWaitMs, refused: false }
}

/** Goes through the run call by call, in virtual time, one check after the other. */
const simulate = (checks: readonly RegisteredCheck[], setting: Setting, patienceMs: number) => {
  const all = new Map<string, { readonly row: string; readonly times: number[] }>()
  const withoutRoom: RegisteredCheck[] = []
  let begun = 0
  let longWaitsMs = 0
  for (const [index, check] of checks.entries()) {
    const tried = (given: number) =>
      attempt(check, setting, all, { index, begun, patienceMs: given })
    const whole = tried(patienceMs - longWaitsMs)
    // One that gives up for want of patience is given none, so that it uses up none.
    const { made, delayMs, longWaitMs, refused } = whole.refused ? tried(0) : whole
    for (const [key, { row, times }] of made) {
      const counted = all.get(key) ?? { row, times: [] }
      counted.times.push(...times)
      all.set(key, counted)
    }
    if (refused) withoutRoom.push(check)
    longWaitsMs += longWaitMs
    begun += costOf(check).ms + delayMs
  }
  return { ms: begun, patienceMs: longWaitsMs, withoutRoom, counted: [...all.values()] }
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

/** Part of the patience that a plan spends. Waits differ by minutes: what the plan gave room to has to find it in the run. */
const plannedShare = 0.9

export const forecast = (
  checks: readonly RegisteredCheck[],
  { profile, patienceMs, workers }: ForecastOptions,
): Forecast => {
  const held = capabilitiesOf(profile, false)
  const byReason = grouped(inOrder(checks), (check) => reasonAgainst(check, held, profile) ?? '')
  const runs = byReason.get('') ?? []
  const dialect = dialectOf(profile.dialect ?? 'svc') ?? dialects.svc
  const setting: Setting = {
    limits: thresholdsAt(profile),
    makes: (row) => held.has('testdata') || !row.startsWith('testdata.'),
    contexts: sharedContexts(profile),
    counted: (row) => (row in endpoints ? row : countedAs(row, dialect)),
  }
  const courseOf = (given: number): Course & { readonly rows: readonly RowForecast[] } => {
    const { ms, counted, ...more } = simulate(runs, setting, given)
    const rows = rowsOf(counted, setting)
    // Workers share the work, and the limits that all of them keep within.
    return { ms: Math.max(ms / workers, ...rows.map((row) => row.ms)), rows, ...more }
  }
  const { rows, ...whole } = courseOf(Number.POSITIVE_INFINITY)
  return {
    runs,
    claims: runs.flatMap((check) => {
      const { rule, variant } = check
      const claims = claimsOf(check, setting)
      return claims.length === 0 ? [] : [{ rule, variant, claims }]
    }),
    notRun: [...byReason]
      .filter(([reason]) => reason !== '')
      .map(([reason, against]) => ({ reason, checks: against }))
      .toSorted((a, b) => b.checks.length - a.checks.length),
    rows,
    planned: courseOf(patienceMs * plannedShare),
    whole,
  }
}
