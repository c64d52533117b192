import type { Instant } from '../base/instants.ts'
import type { Threshold } from '../policy/limits.ts'
import type { Policy } from '../policy/policy.ts'

/**
 * Exact sliding windows: per key a log of the calls that passed, no longer than the largest threshold. A violation
 * starts a block of the announced length; calls within a block are refused and lengthen nothing; a violation soon
 * after a block starts a longer one. Source: specification, Rate limits.
 */

export interface Limiter {
  /**
   * Counts a call. Returns undefined when it passes, else how many whole seconds to wait and why.
   * Synchronous on purpose: nothing can come between the look and the count.
   */
  pass(
    policy: Policy,
    key: string,
    thresholds: readonly Threshold[],
    now: Instant,
  ): Limited | undefined
  clear(): void
  /** Number of keys. */
  size(): number
}

export interface Limited {
  readonly retryAfter: number
  readonly detail: string
}

interface Log {
  /** Instants of the calls that count, ascending, from `head` on. */
  calls: number[]
  head: number
  blockedUntil: number
  blocks: number
  reason: string
}

/** How long a call is remembered: an hour counts, and fixed windows need to know how the one before it began. */
const longest = 2 * 3_600_000

/** A limiter without calls. */
export const createLimiter = (): Limiter => {
  const logs = new Map<string, Log>()

  const forget = (log: Log, now: Instant): void => {
    const { calls } = log
    // The clock was set back: calls after the present instant never happened.
    if (calls.length > 0 && calls[calls.length - 1]! > now) {
      log.calls = calls.filter((at) => at <= now)
      log.head = 0
      log.blockedUntil = Math.min(log.blockedUntil, now)
      return
    }
    while (log.head < calls.length && calls[log.head]! < now - longest) log.head++
    if (log.head > 64 && log.head > calls.length / 2) {
      calls.splice(0, log.head)
      log.head = 0
    }
  }
  const sweep = (now: Instant): void => {
    for (const [key, log] of logs) {
      forget(log, now)
      if (log.head === log.calls.length && now - log.blockedUntil > longest) logs.delete(key)
    }
  }

  return {
    pass(policy, key, thresholds, now) {
      let log = logs.get(key)
      if (log === undefined) {
        if (logs.size > 0 && logs.size % 10_000 === 0) sweep(now)
        log = { calls: [], head: 0, blockedUntil: 0, blocks: 0, reason: '' }
        logs.set(key, log)
      }
      forget(log, now)
      if (log.blockedUntil > 0 && policy.blockHolds(now, log.blockedUntil)) {
        if (policy.outcomeCounts('refused')) log.calls.push(now)
        const retryAfter = policy.retryAfterSeconds(log.blockedUntil - now)
        return { retryAfter, detail: `${log.reason}; wait ${retryAfter} s` }
      }
      let wait: number | undefined
      let reason = ''
      for (const threshold of thresholds) {
        const left = policy.roomIn(log, threshold, now, policy)
        if (left === undefined || (wait !== undefined && left <= wait)) continue
        wait = left
        reason = `the limit of ${threshold.maximum} calls in ${threshold.span / 1000} s is reached`
      }
      if (wait === undefined) {
        if (policy.outcomeCounts('passed')) log.calls.push(now)
        return undefined
      }
      if (policy.outcomeCounts('refused')) log.calls.push(now)
      if (!policy.earlierBlockRemembered(log.blockedUntil, now)) log.blocks = 0
      const retryAfter = policy.blockSeconds(policy.retryAfterSeconds(wait), log.blocks)
      log.blocks++
      log.blockedUntil = now + retryAfter * 1000
      log.reason = reason
      return { retryAfter, detail: `${reason}; wait ${retryAfter} s` }
    },
    clear() {
      logs.clear()
    },
    size: () => logs.size,
  }
}
