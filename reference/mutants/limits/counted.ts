import type { OperationId } from '../../../contract/endpoints.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { refuse } from '../../base/refusals.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Running } from '../../call/exchange.ts'
import { payloadOf } from '../../keys/jwt.ts'
import { keyOf } from '../../model/entities.ts'
import { limitsPolicy } from '../../policy/limits.ts'
import { policy } from '../../policy/policy.ts'
import { countCall } from '../../rates/counting.ts'
import type { Mutant } from '../mutant.ts'
import { calls } from '../rewrite.ts'

/** What is counted, and with what. */

/** Exceeding a threshold empties the longer windows as well, but for the last milliseconds that are kept. */
export const emptiedByAnExcess = (exceeded = 1_000, kept = 0): Mutant => {
  let since = Number.NEGATIVE_INFINITY
  return {
    policy: {
      roomIn(log, threshold, now, decisions) {
        const callCounts = (at: number, to: number, span: number) =>
          at > since && decisions.callCounts(at, to, span)
        const left = policy.roomIn(log, threshold, now, { ...decisions, callCounts })
        if (threshold.span === exceeded && left !== undefined) since = now - kept
        return left
      },
    },
  }
}

/** Whom an access token names. */
export const subjectIn = ({ authorization = '' }: Readonly<Record<string, string>>): string => {
  const payload = payloadOf(authorization.slice('Bearer '.length))
  return payload === undefined ? '' : `${String(payload['sut'])} ${String(payload['suv'])}`
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

/** One of the windows counts the calls by another key than the others. */
export const countedBy = (
  span: number,
  keyed: (context: string, address: string, counter: string) => string,
): Mutant => {
  const passed = new Map<string, number[]>()
  let key = ''
  let at = 0
  return {
    policy: {
      rateKey(context, address, counter) {
        key = keyed(context, address, counter)
        return policy.rateKey(context, address, counter)
      },
      publicRateKey(address, operation) {
        key = `public ${address} ${operation}`
        return policy.publicRateKey(address, operation)
      },
      roomIn(log, threshold, now, decisions) {
        at = now
        const own = { calls: passed.get(key) ?? [], head: 0 }
        const counted = threshold.span === span ? own : log
        return policy.roomIn(counted, threshold, now, decisions)
      },
      outcomeCounts(outcome) {
        if (outcome === 'passed') passed.set(key, [...(passed.get(key) ?? []), at])
        return policy.outcomeCounts(outcome)
      },
    },
  }
}

interface Counted {
  /** Each call when absent. */
  readonly isCounted?: (call: AnyCall) => boolean
  /** The shortest window that is, ms. */
  readonly from?: number
}

/** A public operation that the default row counts as well. */
export const countedToo = (
  operation: OperationId,
  { isCounted = () => true, from = 0 }: Counted = {},
): Mutant => ({
  at: [operation],
  call(call, next) {
    if (!isCounted(call)) return next(call)
    const { service, caller, address, now } = call
    const key = `${caller === undefined ? '' : keyOf(caller.context)} ${address} ${operation}`
    const thresholds = policy
      .thresholds(rateRules.default.window)
      .filter(({ span }) => span >= from)
    if (service.limiter.pass(policy, key, thresholds, now) !== undefined)
      throw refuse('rate-limited', [], { headers: { 'retry-after': '1' } })
    return next(call)
  },
})

/** Calls that carry a token without need are counted for it. */
export const countedWithToken = (operation: OperationId): Mutant =>
  countedToo(operation, { isCounted: ({ headers }) => headers['authorization'] !== undefined })

/** Calls of an operation take up room of another one too. */
export const countedAlso = (operation: OperationId, other: OperationId, row: RateRuleId): Mutant =>
  calls([operation], (call) => {
    try {
      countCall(call.service, other, row, call.caller, call.address)
    } catch {
      // It takes up room only: the call itself is answered.
    }
    return call
  })
