import { createLane, place } from '../../lib/plan/timetable.ts'
import type { Lane } from '../../lib/plan/timetable.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { shortWait } from '../../suites/support/run/patience.ts'
import type { Claim } from '../../suites/support/run/room.ts'
import type { RegisteredCheck } from '../registered.ts'
import { costOf, togetherIn } from './costs.ts'

/** A run call by call, in virtual time: when each call finds room within the limits, and which checks find none. */

const isOfAddress = (row: string): boolean => row === 'public'

/** What a run is simulated with. */
export interface Setting {
  /** Those that all checks share; undefined where each takes contexts as it needs them. */
  readonly contexts: number | undefined
  readonly limits: (row: string) => Thresholds | undefined
  /** Whether checks make the calls of a row: they simulate limits only where they may. */
  readonly makes: (row: string) => boolean
  /** The rate rule that the calls of a row are counted under. */
  readonly counted: (row: string) => string
  /** When earlier runs called in a context under a row: milliseconds before the run, below 0. */
  readonly earlier: (context: number, row: string) => readonly number[]
}

/** The calls of one row that are counted together, as a simulated run makes them. */
export interface Counted {
  readonly row: string
  /** When each was made. */
  readonly times: readonly number[]
}

/** That of an hour, ms. */
export const longestWindow = 3_600_000

const laneAfter = (
  earlier: readonly number[],
  times: readonly number[],
  { row, thresholds }: { row: string; thresholds: Thresholds | undefined },
): Lane => {
  const lane = createLane(row, thresholds)
  for (const at of earlier) lane.windows.count(at)
  const from = times.findLastIndex((at) => at < (times.at(-1) ?? 0) - longestWindow) + 1
  for (const at of times.slice(from)) place(lane, at)
  return lane
}

/** Whether a check does in the shared contexts what it does in more where there are more. */
const haveFewer = (check: RegisteredCheck, contexts: number | undefined): boolean =>
  contexts !== undefined && contexts < costOf(check).contexts

/** The calls of a check against each limit of an hour. */
export const callsInHour = (
  check: RegisteredCheck,
  { contexts, limits, makes, counted }: Setting,
): readonly Claim[] => {
  const { calls, callsOfOne = {} } = costOf(check)
  const together = haveFewer(check, contexts)
  const claims = new Map<string, Claim>()
  for (const [row, count] of Object.entries(calls)) {
    const thresholds = limits(row)
    if (thresholds?.perHour === undefined || !makes(row)) continue
    const rule = counted(row)
    const own = together ? count : (callsOfOne[row] ?? count)
    const more = Math.round(own) + (claims.get(rule)?.calls ?? 0)
    claims.set(rule, { rule, thresholds, calls: more })
  }
  return [...claims.values()]
}

/** The room that a check needs as a whole: what it calls more than once, where an hour has a limit. */
export const claimsOf = (check: RegisteredCheck, setting: Setting): readonly Claim[] =>
  callsInHour(check, setting).filter(({ calls }) => calls > 1)

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
    const earlier = contexts === undefined ? [] : setting.earlier(index % contexts, row)
    const times = before.get(key)?.times ?? []
    const lane = laneAfter(earlier, times, { row, thresholds: limits(row) })
    const own = { row, times: [], lane }
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

/** Goes through the run, one check after the other. */
export const simulate = (
  checks: readonly RegisteredCheck[],
  setting: Setting,
  patienceMs: number,
) => {
  const all = new Map<string, { readonly row: string; readonly times: number[] }>()
  const withoutRoom: RegisteredCheck[] = []
  const workMs = new Map<RegisteredCheck, number>()
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
    const isWithPayer = (other: RegisteredCheck) => togetherIn(other) === togetherIn(check)
    // What others were to judge is not there either.
    if (refused || (check.joins && withoutRoom.some(isWithPayer))) withoutRoom.push(check)
    longWaitsMs += longWaitMs
    begun += costOf(check).ms + delayMs
    workMs.set(check, begun - longWaitsMs)
  }
  return { ms: begun, patienceMs: longWaitsMs, withoutRoom, workMs, counted: [...all.values()] }
}
