import { decodeJwt } from 'jose'
import { refuse } from '../../base/refusals.ts'
import type { Running } from '../../call/exchange.ts'
import { keyOf } from '../../model/entities.ts'
import { limitsPolicy } from '../../policy/limits.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import { calls } from '../rewrite.ts'

/** What is counted, and with what. */

/** Exceeding the threshold of the second empties the longer windows as well. */
export const emptiedByAnExcess = (): Mutant => {
  let since = Number.NEGATIVE_INFINITY
  return {
    policy: {
      roomIn(log, threshold, now, decisions) {
        const callCounts = (at: number, to: number, span: number) =>
          at > since && decisions.callCounts(at, to, span)
        const left = policy.roomIn(log, threshold, now, { ...decisions, callCounts })
        if (threshold.span === 1_000 && left !== undefined) since = now
        return left
      },
    },
  }
}

/** Whom an access token names. */
export const subjectIn = ({ authorization = '' }: Readonly<Record<string, string>>): string => {
  try {
    const { sut, suv } = decodeJwt(authorization.slice('Bearer '.length))
    return `${String(sut)} ${String(suv)}`
  } catch {
    return ''
  }
}

/** Some calls count against no limit; the limit of their row holds for them. */
export const uncounted = (isOneOf: (running: Running) => boolean): Mutant => {
  let isOne = false
  return {
    exchange(running, next) {
      isOne = isOneOf(running)
      return next(running)
    },
    policy: { outcomeCounts: (outcome) => !isOne && policy.outcomeCounts(outcome) },
  }
}

export const callsOf =
  (path: RegExp, method = 'GET') =>
  (running: Running): boolean =>
    path.test(running.path) && running.exchange.method === method

/** Exports and their statuses share the window of an hour, and no shorter one. */
export const hoursTogether = calls(['exports.create', 'exports.status'], (call) => {
  const { service, caller, address, now, operation } = call
  const row = operation === 'exports.create' ? 'exportCreate' : 'exportStatus'
  const window = caller && service.limits.rate(row, caller.context)
  if (window === undefined) return call
  const hour = limitsPolicy.thresholds(window).slice(2)
  const key = `exports of an hour ${keyOf(caller!.context)} ${address}`
  const limited = service.limiter.pass(service.policy, key, hour, now)
  if (limited === undefined) return call
  throw refuse('rate-limited', limited.detail, {
    headers: { 'retry-after': String(limited.retryAfter) },
  })
})
