import { Unreachable } from '../../../lib/node/fetch.ts'
import type { Send } from '../../../lib/exchange.ts'

/** Milliseconds for a call after one that was never answered. */
const trialMs = 10_000

/**
 * After a call that was never answered, the next ones have less time, until one is answered: a target that hangs must
 * not keep every further call waiting for as long as the first.
 * @param defaultMs timeout of a call that states none
 */
export const withCircuitBreaker = (send: Send, defaultMs = trialMs): Send => {
  let hanging = false
  return async (request, options = {}) => {
    const { timeoutMs = defaultMs } = options
    try {
      const answer = await send(
        request,
        hanging ? { ...options, timeoutMs: Math.min(timeoutMs, trialMs) } : options,
      )
      hanging = false
      return answer
    } catch (error) {
      if (error instanceof Unreachable && error.code === 'ETIMEDOUT') hanging = true
      throw error
    }
  }
}
