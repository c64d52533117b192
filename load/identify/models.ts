/**
 * The limiters that services have, as small state machines. The classifier replays the calls of an experiment through
 * each of them and compares what passes.
 */

export interface Span {
  /** Length of the window, ms. */
  readonly ms: number
  /** Calls that it permits. */
  readonly calls: number
}

/** One window of a limiter. `take` is called only for a call that `hasRoom` lets through. */
interface State {
  hasRoom(t: number): boolean
  take(t: number): void
}

const slidingLog = ({ ms, calls }: Span): State => {
  const log: number[] = []
  return {
    hasRoom: (t) => (log.at(-calls) ?? -Infinity) + ms <= t,
    take: (t) => void log.push(t),
  }
}

const slidingCounter = ({ ms, calls }: Span): State => {
  const counts = new Map<number, number>()
  const count = (window: number) => counts.get(window) ?? 0
  return {
    hasRoom(t) {
      const window = Math.floor(t / ms)
      const left = 1 - (t - window * ms) / ms
      return count(window - 1) * left + count(window) + 1 <= calls + 1e-9
    },
    take: (t) => void counts.set(Math.floor(t / ms), count(Math.floor(t / ms)) + 1),
  }
}

const fixedAligned = ({ ms, calls }: Span): State => {
  let window = -1
  let count = 0
  return {
    hasRoom: (t) => Math.floor(t / ms) !== window || count < calls,
    take(t) {
      if (Math.floor(t / ms) !== window) count = 0
      window = Math.floor(t / ms)
      count += 1
    },
  }
}

const fixedFromFirst = ({ ms, calls }: Span): State => {
  let start = -Infinity
  let count = 0
  return {
    hasRoom: (t) => t >= start + ms || count < calls,
    take(t) {
      if (t >= start + ms) {
        start = t
        count = 0
      }
      count += 1
    },
  }
}

const tokenBucket = ({ ms, calls }: Span): State => {
  let tokens = calls
  let last = -Infinity
  const at = (t: number) => Math.min(calls, tokens + ((t - last) * calls) / ms)
  return {
    hasRoom: (t) => at(t) >= 1 - 1e-9,
    take(t) {
      tokens = at(t) - 1
      last = t
    },
  }
}

const leakyBucket = ({ ms, calls }: Span): State => {
  let last = -Infinity
  return {
    hasRoom: (t) => t - last >= ms / calls - 1e-9,
    take: (t) => void (last = t),
  }
}

export const models = {
  'sliding-log': slidingLog,
  'sliding-counter': slidingCounter,
  'fixed-window-aligned': fixedAligned,
  'fixed-window-from-first-call': fixedFromFirst,
  'token-bucket': tokenBucket,
  'leaky-bucket': leakyBucket,
} as const satisfies Record<string, (span: Span) => State>

export type ModelId = keyof typeof models

/** Which of these calls pass a limiter that starts empty; times ascend. */
export const replay = (
  model: ModelId,
  windows: readonly Span[],
  times: readonly number[],
): readonly boolean[] => {
  const states = windows.map((window) => models[model](window))
  return times.map((t) => {
    const passes = states.every((state) => state.hasRoom(t))
    if (passes) for (const state of states) state.take(t)
    return passes
  })
}
