import { createWindows } from '../lib/windows.ts'
import type { Thresholds } from '../lib/windows.ts'

/** When arrivals are due, whatever the service does: milliseconds from the start. */

/** The rate changes linearly from that of the stage before to `rate` arrivals a second. */
export interface Stage {
  readonly seconds: number
  readonly rate: number
}

/** Arrivals of all stages. */
export const arrivalsOf = (stages: readonly Stage[], from = 0): number => {
  let before = from
  let sum = 0
  for (const { seconds, rate } of stages) {
    sum += ((before + rate) / 2) * seconds
    before = rate
  }
  return Math.floor(sum + 1e-9)
}

/** Due times: the n-th arrival is due when the area below the rate reaches n. */
export function dueTimes(stages: readonly Stage[], from = 0): readonly number[] {
  const due: number[] = []
  let before = from
  let start = 0
  let area = 0
  for (const { seconds, rate } of stages) {
    const whole = ((before + rate) / 2) * seconds
    while (due.length < area + whole - 1e-9) {
      const offset = timeOfArea(due.length - area, before, (rate - before) / seconds)
      due.push((start + offset) * 1000)
    }
    area += whole
    start += seconds
    before = rate
  }
  return due.slice(0, arrivalsOf(stages, from))
}

/** When the area below a rate that grows by `slope` a second reaches `area`. */
const timeOfArea = (area: number, rate: number, slope: number): number =>
  Math.abs(slope) < 1e-12
    ? area / rate
    : (Math.sqrt(Math.max(0, rate * rate + 2 * slope * area)) - rate) / slope

/**
 * Milliseconds by which calls of a load may be late without delaying a later one. This costs a load one second in
 * each minute and hour that limits it; a refusal would cost it an invoice.
 */
export const loadMarginMs = 1000

/**
 * Earliest due times within thresholds, with a margin for the network: the target counts when a request arrives, and
 * requests may arrive up to `marginMs` closer than they left. So calls are spread over the second, and one that has to
 * wait for a window leaves `marginMs` later than it might. No more than `rate` leave in a second.
 */
export function legalDueTimes(
  thresholds: Thresholds,
  count: number,
  marginMs: number,
  rate = Infinity,
): readonly number[] {
  const windows = createWindows(thresholds)
  const spread = thresholds.perSecond === undefined ? 0 : (1000 + marginMs) / thresholds.perSecond
  const gap = Math.max(spread, 1000 / rate)
  const due: number[] = []
  let t = 0
  for (let call = 0; call < count; call += 1) {
    const free = windows.nextFree(t)
    if (free === Infinity) throw new RangeError('a threshold of 0 lets no call through')
    if (free > t) t = free + marginMs
    windows.count(t)
    due.push(t)
    t += gap
  }
  return due
}
