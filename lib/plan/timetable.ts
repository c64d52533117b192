import { createWindows } from '../windows.ts'
import type { ExceededThreshold, Thresholds, Windows } from '../windows.ts'

/** Earliest legal times of calls, and which window each of them waits for. Times are milliseconds from the start. */

export type WindowName = 'second' | 'minute' | 'hour'

/** The window of a rate rule that a call waits for. */
export interface Bound {
  readonly rule: string
  readonly window: WindowName
  readonly threshold: number
}

/** Calls that are due at the same moment. */
export interface Burst {
  readonly at: number
  readonly calls: number
  /** What made the first of them wait; undefined when nothing did. */
  readonly bound: Bound | undefined
}

/** A rate rule while a schedule is drawn up. */
export interface Lane {
  readonly rule: string
  readonly windows: Windows
  /** Time of the last call that was placed. */
  last: number
}

export const createLane = (rule: string, thresholds: Thresholds | undefined): Lane => ({
  rule,
  windows: createWindows(thresholds ?? {}),
  last: 0,
})

/** The schedule can never be completed: a threshold is 0. */
export class NeverFree extends Error {
  override readonly name = 'NeverFree'
  readonly bound: Bound
  constructor(bound: Bound) {
    super(`${bound.rule} allows ${bound.threshold} calls a ${bound.window}`)
    this.bound = bound
  }
}

export const boundOf = (rule: string, exceeded: ExceededThreshold | undefined): Bound | undefined =>
  exceeded && { rule, window: exceeded.window, threshold: exceeded.threshold }

/**
 * Counts a call at the earliest legal time not before `t`, nor before the last call of its lane.
 * @throws {NeverFree} when a threshold of the lane is 0
 */
export function place(
  lane: Lane,
  t: number,
): { readonly at: number; readonly bound: Bound | undefined } {
  const from = Math.max(t, lane.last)
  const exceeded = lane.windows.exceeded(from)
  const at = exceeded?.until ?? from
  const bound = boundOf(lane.rule, exceeded)
  if (at === Infinity && bound !== undefined) throw new NeverFree(bound)
  lane.windows.count(at)
  lane.last = at
  return { at, bound }
}

/** Collects calls into bursts, in the order of their times. */
export function createBursts() {
  const bursts: { at: number; calls: number; bound: Bound | undefined }[] = []
  return {
    bursts: bursts as readonly Burst[],
    add: (at: number, bound: Bound | undefined) => {
      const last = bursts.at(-1)
      if (last?.at === at) last.calls += 1
      else bursts.push({ at, calls: 1, bound })
    },
  }
}

/**
 * The earliest legal times of `calls` calls of one rule, as bursts. No call of any legal schedule comes earlier.
 * @throws {NeverFree} when a threshold is 0
 */
export function timetable(
  rule: string,
  thresholds: Thresholds | undefined,
  calls: number,
): readonly Burst[] {
  const lane = createLane(rule, thresholds)
  const { bursts, add } = createBursts()
  let t = 0
  for (let call = 0; call < calls; call += 1) {
    const { at, bound } = place(lane, t)
    t = at
    add(at, bound)
  }
  return bursts
}
