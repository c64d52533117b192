import { counted } from '../lib/words.ts'
import type { RoomWait } from '../suites/support/run/patience.ts'
import type { Io } from './io.ts'

/** How far some work has come. */
export interface Position {
  readonly done: number
  /** How many there will be, where that is known. */
  readonly total?: number | undefined
  readonly failures?: number | undefined
}

/** The waits of a run: several calls can wait at the same time. */
interface Waits {
  /** How long the run has waited, and will wait from now on at least, ms. */
  readonly waitedMs: number
  readonly restMs: number
  /** What it waits for now. */
  readonly for: RoomWait | undefined
}

const noWaits: Waits = { waitedMs: 0, restMs: 0, for: undefined }

export interface Progress {
  /** Reports a position; prints it when it is time. */
  readonly at: (position: Position) => void
  /** Notes that the work waits. */
  readonly waits: (wait: RoomWait) => void
  readonly end: () => void
}

/** Milliseconds between two pictures of the bar. */
const drawnEvery = 100
const width = 30

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

const waitingFor = ({ limit, until }: RoomWait): string =>
  `, waiting for room in ${limit} until ${new Date(until).toISOString().slice(11, 19)} UTC`

/** `check: 340 of 962 done, 2 failures, about 45 s left`. */
export const progressLine = (
  label: string,
  { done, total, failures }: Position,
  /** Pace of this run: how many it did, in how many milliseconds; how long it was planned to take, and how it waited. */
  {
    since,
    ms,
    plannedMs = 0,
    waits = noWaits,
  }: { since: number; ms: number; plannedMs?: number | undefined; waits?: Waits },
): string => {
  if (total === undefined && done === 0) return `${label}: starting`
  const count = total === undefined ? `${done} done` : `${done} of ${total} done`
  const failed = failures === undefined ? '' : `, ${counted(failures, 'failure')}`
  const waiting = waits.for === undefined ? '' : waitingFor(waits.for)
  const own = done - since
  const asPlanned = plannedMs - ms
  const isUnknown = total === undefined || (own <= 0 && asPlanned <= 0)
  if (isUnknown) return `${label}: ${count}${failed}${waiting}`
  // A wait says nothing about the pace of the rest.
  const atThisPace = ((total - done) * (ms - waits.waitedMs)) / Math.max(1, own) + waits.restMs
  // The pace so far knows nothing of waits that are still to come, and the first checks may be those that wait.
  const left = asPlanned > 0 && own * 10 < total ? asPlanned : Math.max(atThisPace, asPlanned)
  return `${label}: ${count}${failed}${waiting}, about ${duration(left / 1000)} left`
}

/**
 * Reports long work on standard error: a bar for a person at a terminal, elsewhere one line every ten seconds, also
 * while nothing moves.
 * @param from how many were done before this run
 */
export const progress = (
  io: Io,
  label: string,
  {
    from = 0,
    total,
    plannedMs,
  }: { from?: number; total?: number | undefined; plannedMs?: number | undefined } = {},
): Progress => {
  const started = Date.now()
  const draw = io.interactive ? io.draw : undefined
  const every = draw ? drawnEvery : (io.progressEveryMs ?? 10_000)
  let shown = started
  let position: Position = { done: from, total }
  let last: RoomWait | undefined
  let allMs = 0
  const waits = (): Waits => {
    const restMs = Math.max(0, (last?.until ?? 0) - Date.now())
    return { waitedMs: allMs - restMs, restMs, for: restMs > 0 ? last : undefined }
  }
  const show = () => {
    shown = Date.now()
    const ms = shown - started
    const line = progressLine(label, position, { since: from, ms, plannedMs, waits: waits() })
    if (draw === undefined) return io.err(`${line}\n`)
    const share = position.total ? Math.min(1, position.done / position.total) : 0
    const bar = '#'.repeat(Math.floor(width * share)).padEnd(width, '.')
    draw(`\r${position.total === undefined ? '' : `[${bar}] `}${line}\u001B[K`)
  }
  const timer = setInterval(() => {
    if (Date.now() - shown >= every) show()
  }, every)
  timer.unref()
  return {
    at: (next) => {
      position = { ...position, ...next }
      if (Date.now() - shown >= every) show()
    },
    waits: (wait) => {
      const more = wait.until - Math.max(Date.now(), last?.until ?? 0)
      if (more <= 0) return
      allMs += more
      last = wait
    },
    end: () => {
      clearInterval(timer)
      if (draw === undefined || shown === started) return
      show()
      draw('\n')
    },
  }
}
