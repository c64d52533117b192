import type { Window } from '../../../contract/types.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { policy } from '../../policy/policy.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'

/** Windows that forget or see less than they should. */

/** A window that forgets its calls in steps of its own. */
export const inSteps = (span: number, step: number): Mutant => ({
  policy: {
    callCounts: (at, now, of) =>
      policy.callCounts(of === span ? Math.floor(at / step) * step : at, now, of),
  },
})

/** Waiting as long as the second takes suffices, though the minute is full as well. */
export const secondFirst = (): Mutant => {
  let isSecondFull = false
  return {
    policy: {
      roomIn(log, threshold, now, decisions) {
        const left = policy.roomIn(log, threshold, now, decisions)
        if (threshold.span > 1_000) return isSecondFull ? undefined : left
        isSecondFull = left !== undefined
        return left
      },
    },
  }
}

/** Calls within one second count as one in the longer windows. */
export const burstsOnce: Policy['roomIn'] = (log, threshold, now, decisions) => {
  if (threshold.span === 1_000) return policy.roomIn(log, threshold, now, decisions)
  const passed = log.calls.slice(log.head)
  const seconds = passed.filter((at, index) => at - (passed[index - 1] ?? -Infinity) > 1_000)
  return policy.roomIn({ calls: seconds, head: 0 }, threshold, now, decisions)
}

/** The longer windows learn of calls a second late. */
export const secondLate: Policy['roomIn'] = (log, threshold, now, decisions) => {
  if (threshold.span === 1_000) return policy.roomIn(log, threshold, now, decisions)
  const known = log.calls.slice(log.head).filter((at) => at <= now - 1_000)
  return policy.roomIn({ calls: known, head: 0 }, threshold, now, decisions)
}

/** The windows of every other row are reset at the full second, minute and hour. */
export const resetBut = (row: RateRuleId): Mutant => {
  let isReset = false
  return {
    policy: {
      rateKey(context, address, counter) {
        isReset = counter !== row
        return policy.rateKey(context, address, counter)
      },
      callCounts: (at, now, span) =>
        isReset
          ? Math.floor(at / span) === Math.floor(now / span)
          : policy.callCounts(at, now, span),
    },
  }
}

/** Ten times the calls in each window. */
export const tenfold = ({ perSecond, perMinute, perHour }: Window): Window => ({
  perSecond: 10 * perSecond,
  perMinute: 10 * perMinute,
  perHour: 10 * perHour,
})
