import { dialectOf, dialects } from '../../contract/dialects.ts'
import { environments } from '../../contract/environments.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { capabilities } from '../../contract/types.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { thresholdsOf } from '../../lib/pacer.ts'
import { waitsOf } from '../../lib/plan/cycles.ts'
import { createLane, place, timetable } from '../../lib/plan/timetable.ts'
import type { Bound, Lane } from '../../lib/plan/timetable.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { capabilitiesOf } from '../../suites/support/capabilities.ts'
import { shortWait } from '../../suites/support/patience.ts'
import { absenceOf, rowOf } from '../../suites/support/rule.ts'
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

export interface Forecast {
  readonly runs: readonly RegisteredCheck[]
  /** Why checks will not run, and how many. */
  readonly notRun: readonly { readonly reason: string; readonly checks: number }[]
  readonly rows: readonly RowForecast[]
  /** Milliseconds of the run when it waits for everything. */
  readonly ms: number
  /** Milliseconds of waits that need patience, in all. */
  readonly patienceMs: number
  /** Checks that find no room with the patience that the run has. */
  readonly withoutRoom: number
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

const reasonAgainst = (
  { rule, variant }: RegisteredCheck,
  held: ReadonlySet<string>,
  profile: TargetProfile,
): string | undefined => {
  const dialect = dialects[(dialectOf(profile.dialect ?? 'svc')?.id ?? 'svc') as 'svc']
  const absent = absenceOf(dialect, { rule, variant })
  if (absent !== undefined) return `not applicable: ${absent}`
  const need = rowOf(rule, variant).needs?.find((one) => !held.has(one))
  return need && `needs ${need} (${capabilities[need]}): ${howToDeclare[need]}`
}

/** The thresholds that a run keeps, as the clients of the checks do. */
const thresholdsAt = ({ dialect: id = 'svc', rateFactor = 1, pacingShare = 1 }: TargetProfile) => {
  const dialect = dialectOf(id) ?? dialects.svc
  return (row: string): Thresholds | undefined =>
    thresholdsOf(row in endpoints ? 'default' : row, dialect, rateFactor * pacingShare)
}

const isOfAddress = (row: string): boolean => row === 'public'

/** Goes through the run call by call, in virtual time. */
const simulate = (
  checks: readonly RegisteredCheck[],
  contexts: number,
  limits: (row: string) => Thresholds | undefined,
  patienceMs: number,
) => {
  const lanes = new Map<string, Lane>()
  const laneOf = (subject: string, row: string): Lane => {
    const key = `${subject} ${row}`
    const lane = lanes.get(key) ?? createLane(row, limits(row))
    lanes.set(key, lane)
    return lane
  }
  let t = 0
  let patient = 0
  let withoutRoom = 0
  for (const [index, { rule }] of checks.entries()) {
    const { ms, calls } = costOf(rule)
    const due = t
    let end = t + ms
    let refused = false
    for (const [row, count] of Object.entries(calls)) {
      const lane = laneOf(isOfAddress(row) ? 'address' : `context ${index % contexts}`, row)
      for (let call = 0; call < Math.round(count) && !refused; call += 1) {
        const at = due + (ms * call) / Math.max(1, count)
        const from = Math.max(at, end - ms)
        const free = lane.windows.nextFree(from)
        const wait = free - from
        if (wait > shortWait && patient + wait > patienceMs) {
          refused = true
          break
        }
        if (wait > shortWait) patient += wait
        const placed = place(lane, from)
        end = Math.max(end, placed.at + ms / Math.max(1, count))
      }
    }
    if (refused) withoutRoom += 1
    t = end
  }
  return { ms: t, patienceMs: patient, withoutRoom }
}

const rowsOf = (
  checks: readonly RegisteredCheck[],
  contexts: number,
  limits: (row: string) => Thresholds | undefined,
): readonly RowForecast[] => {
  const totals = new Map<string, number>()
  for (const { rule } of checks)
    for (const [row, calls] of Object.entries(costOf(rule).calls))
      totals.set(row, (totals.get(row) ?? 0) + calls)
  return [...totals]
    .map(([row, total]) => {
      const calls = Math.round(total)
      const callsOfOne = isOfAddress(row) ? calls : Math.ceil(calls / contexts)
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
  { profile, patienceMs, workers }: ForecastOptions,
): Forecast => {
  const held = capabilitiesOf(profile, false)
  const reasons = new Map<string, number>()
  const runs = inOrder(checks).filter((check) => {
    const reason = reasonAgainst(check, held, profile)
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    return reason === undefined
  })
  const limits = thresholdsAt(profile)
  const own = environments[profile.environment ?? 'test'].selfSigned
  // Where self-signed seals are accepted, each check has a context to itself.
  const contexts = own ? Math.max(1, runs.length) : Math.max(1, profile.contexts?.length ?? 0)
  const whole = simulate(runs, contexts, limits, Number.POSITIVE_INFINITY)
  const rows = rowsOf(runs, contexts, limits)
  return {
    runs,
    notRun: [...reasons]
      .map(([reason, count]) => ({ reason, checks: count }))
      .toSorted((a, b) => b.checks - a.checks),
    rows,
    // Workers share the work, and the limits that all of them keep within.
    ms: Math.max(whole.ms / workers, ...rows.map(({ ms }) => ms)),
    patienceMs: whole.patienceMs / workers,
    withoutRoom: simulate(runs, contexts, limits, patienceMs).withoutRoom,
  }
}
