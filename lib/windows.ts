/**
 * The exact oracle of the rate limits: up to three sliding windows that apply in parallel, over the calls that were
 * let through. A call made exactly one window ago no longer counts; a refused call never counts.
 * Source: specification, Limits > Rate limits. Pacer, planner and judge all use it.
 */

/** Calls allowed in the last second, 60 seconds, 60 minutes; a threshold that is absent does not apply. */
export interface Thresholds {
  readonly perSecond?: number
  readonly perMinute?: number
  readonly perHour?: number
}

export interface Windows {
  /** Whether a call at `t` is let through; if so, it counts from now on. Times must not decrease. */
  admit(t: number): boolean
  /** Whether a call at `t` would be let through, without counting it. */
  free(t: number): boolean
  /** Earliest time not before `t` at which a call is let through; infinite when a threshold is 0. */
  nextFree(t: number): number
  /**
   * Earliest time not before `t` at which a window has room for this many calls, or for as many as it can ever hold: a
   * client that starts then waits for the shorter windows only. The window of an hour when absent.
   */
  roomFor(t: number, calls: number, window?: ExceededThreshold['window']): number
  /** Whole seconds to wait from `t` until a call is let through: 0 when it is now, else at least 1. */
  retryAfter(t: number): number
  /** Counts a call that was made without asking, whether or not the windows had room for it. */
  count(t: number): void
  /** Takes back one counted call, for example because the target refused it. */
  forget(t: number): void
  /** The calls that are counted, in order; older ones than any window may be missing. */
  times(): readonly number[]
  /** The threshold that refuses a call at `t`: the one that is exceeded for longest; undefined if none is. */
  exceeded(t: number): ExceededThreshold | undefined
}

export interface ExceededThreshold {
  readonly window: 'second' | 'minute' | 'hour'
  readonly threshold: number
  /** When the window has room again. */
  readonly until: number
}

const spans = [
  ['second', 'perSecond', 1000],
  ['minute', 'perMinute', 60_000],
  ['hour', 'perHour', 3_600_000],
] as const

/** Fresh windows; all times are milliseconds of one clock. */
export function createWindows(thresholds: Thresholds): Windows {
  const limits = spans.flatMap(([window, key, span]) => {
    const threshold = thresholds[key]
    return threshold === undefined ? [] : [{ window, span, threshold }]
  })
  // Only so many calls can fill a window; twice as many are kept, because some may be taken back.
  const kept = 2 * limits.reduce((max, { threshold }) => Math.max(max, threshold), 0) + 512
  let counted: number[] = []

  // Calls are kept in order, so the call that must leave a window first is found by its place.
  function exceeded(t: number): ExceededThreshold | undefined {
    let worst: ExceededThreshold | undefined
    for (const { window, span, threshold } of limits) {
      const leaving = threshold > 0 ? counted[counted.length - threshold] : Infinity
      if (leaving === undefined) continue
      const until = leaving + span
      if (until > t && (worst === undefined || until > worst.until)) {
        worst = { window, threshold, until }
      }
    }
    return worst
  }

  function count(t: number): void {
    const last = counted.at(-1)
    if (last !== undefined && t < last) counted.splice(insertionPoint(counted, t), 0, t)
    else counted.push(t)
    if (counted.length > 2 * kept) counted = counted.slice(-kept)
  }

  const nextFree = (t: number): number => exceeded(t)?.until ?? t
  return {
    exceeded,
    count,
    nextFree,
    free: (t) => exceeded(t) === undefined,
    admit(t) {
      if (exceeded(t) !== undefined) return false
      count(t)
      return true
    },
    roomFor(t, calls, name = 'hour') {
      const limit = limits.find(({ window }) => window === name)
      if (limit === undefined) return t
      const { span, threshold } = limit
      const leaving = counted[counted.length - threshold + Math.min(calls, threshold) - 1]
      return leaving === undefined ? t : Math.max(t, leaving + span)
    },
    times: () => counted,
    retryAfter: (t) => Math.ceil((nextFree(t) - t) / 1000),
    forget(t) {
      const place = counted.lastIndexOf(t)
      if (place >= 0) counted.splice(place, 1)
    },
  }
}

function insertionPoint(sorted: readonly number[], value: number): number {
  let place = sorted.length
  while (place > 0 && (sorted[place - 1] ?? value) > value) place -= 1
  return place
}

/**
 * The earliest legal times of `calls` calls from `start` on: none can be earlier without exceeding a threshold.
 * `already` are the times of calls that count before; they must not lie after `start`.
 */
export function planCalls(
  thresholds: Thresholds,
  calls: number,
  start = 0,
  already: readonly number[] = [],
): number[] {
  const windows = createWindows(thresholds)
  for (const t of already) windows.count(t)
  const times: number[] = []
  let t = start
  for (let call = 0; call < calls; call += 1) {
    t = windows.nextFree(t)
    if (t === Infinity) throw new RangeError('a threshold of 0 lets no call through')
    windows.count(t)
    times.push(t)
  }
  return times
}

/** The first call of a history that exceeds a threshold, or undefined: the judge of a client's pace. */
export function firstExcess(
  thresholds: Thresholds,
  times: readonly number[],
): (ExceededThreshold & { readonly call: number; readonly at: number }) | undefined {
  const windows = createWindows(thresholds)
  for (const [call, at] of times.entries()) {
    const excess = windows.exceeded(at)
    if (excess !== undefined) return { ...excess, call, at }
    windows.count(at)
  }
  return undefined
}
