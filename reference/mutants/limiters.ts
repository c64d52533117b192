import type { OperationId } from '../../contract/endpoints.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { rateRules } from '../../contract/limits.ts'
import { refuse } from '../base/refusals.ts'
import type { CallLog, Threshold } from '../policy/limits.ts'
import type { Policy } from '../policy/policy.ts'
import { policy } from '../policy/policy.ts'
import type { AnyCall } from '../call/call.ts'
import type { Mutant } from './mutant.ts'
import { underWay as passTime } from './under-way.ts'

/** Limiters that services have instead of sliding windows: each decides by the log of the calls that passed. */

const after = ({ calls, head }: CallLog): readonly number[] => calls.slice(head)

/** Estimates the window from the counts of this and the previous fixed window. */
export const slidingCounter: Policy['roomIn'] = (log, { span, maximum }, now) => {
  const window = Math.floor(now / span)
  const passed = (now - window * span) / span
  let previous = 0
  let current = 0
  for (const at of after(log)) {
    const of = Math.floor(at / span)
    if (of === window) current++
    else if (of === window - 1) previous++
  }
  if (previous * (1 - passed) + current + 1 <= maximum) return undefined
  if (current + 1 > maximum || previous === 0) return (1 - passed) * span
  return Math.ceil((1 - (maximum - 1 - current) / previous - passed) * span)
}

/** Consecutive fixed windows, the first of which begins with the first call. */
export const windowFromFirstCall: Policy['roomIn'] = (log, { span, maximum }, now) => {
  let start = -Infinity
  let counted = 0
  for (const at of after(log)) {
    if (at >= start + span) {
      start = at
      counted = 0
    }
    counted++
  }
  return now >= start + span || counted < maximum ? undefined : start + span - now
}

/** A bucket of tokens, refilled evenly. */
export const tokenBucket: Policy['roomIn'] = (log, { span, maximum }, now) => {
  const perToken = span / maximum
  let tokens = maximum
  let last = -Infinity
  for (const at of after(log)) {
    tokens = Math.min(maximum, tokens + (at - last) / perToken) - 1
    last = at
  }
  tokens = Math.min(maximum, tokens + (now - last) / perToken)
  return tokens >= 1 - 1e-9 ? undefined : Math.ceil((1 - tokens) * perToken)
}

/** Calls are spaced evenly; there is no burst. */
export const leakyBucket: Policy['roomIn'] = ({ calls, head }, { span, maximum }, now) => {
  const last = calls.length > head ? (calls.at(-1) ?? -Infinity) : -Infinity
  const left = last + span / maximum - now
  return left <= 1e-9 ? undefined : Math.ceil(left)
}

/** Several processes that count for themselves; a call goes to any of them. */
export const replicas = (count: number, seed: number): Pick<Policy, 'rateKey'> => {
  let state = seed
  return {
    rateKey(context, address, rule) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return `${context} ${address} ${rule} ${Math.floor((state / 2 ** 32) * count)}`
    },
  }
}

/** Counts the calls in progress; delays each, by default until the other calls of a burst have arrived. */
const whileUnderWay = (delayed = passTime) => {
  let count = 0
  return {
    count: (): number => count,
    async keep(answer: () => Promise<Response>): Promise<Response> {
      count++
      try {
        await delayed()
        return await answer()
      } finally {
        count--
      }
    },
  }
}

/** Limits the number of concurrent calls, and nothing else. */
export const concurrencyCap = (maximum: number): Mutant => {
  const underWay = whileUnderWay()
  return {
    policy: { thresholds: (): readonly Threshold[] => [] },
    exchange: (running, next) =>
      underWay.count() >= maximum
        ? new Response(null, { status: 429, headers: { 'retry-after': '1' } })
        : underWay.keep(() => next(running)),
  }
}

/** Calls that count under one rule do not see concurrent ones. */
export const unseenUnderWay = (id: RateRuleId): Mutant => {
  const underWay = whileUnderWay()
  // The default rule counts each operation by itself.
  const isCounted = (counter: string): boolean =>
    id === 'default' ? !(counter in rateRules) : counter === id
  return {
    absentIn: ({ shares }) =>
      shares?.[id] === undefined ? undefined : `these calls are counted as those of ${shares[id]}`,
    policy: {
      rateKey: (context, address, counter) =>
        `${context} ${address} ${counter}${isCounted(counter) ? ` ${underWay.count()}` : ''}`,
    },
    exchange: (running, next) => underWay.keep(() => next(running)),
  }
}

/** What passes is counted once it is answered. No call is delayed: those that overlap do so by themselves. */
export const countedWhenAnswered = (): Mutant => {
  const underWay = whileUnderWay(() => Promise.resolve())
  return {
    exchange: (running, next) => underWay.keep(() => next(running)),
    policy: {
      roomIn(log, threshold, now, decisions) {
        const calls = log.calls.slice(0, log.calls.length + 1 - underWay.count())
        return policy.roomIn({ ...log, calls }, threshold, now, decisions)
      },
    },
  }
}

/** Blocks grow for the rows of the table, and for nothing else. */
export const ofTheTableAlone = (): Mutant => {
  let isRow = false
  return {
    policy: {
      rateKey(context, address, counter) {
        isRow = counter in rateRules
        return policy.rateKey(context, address, counter)
      },
      blockSeconds: (minimum, earlier) => policy.blockSeconds(minimum, isRow ? earlier : 0),
    },
  }
}

/** Repeated violations lengthen only the blocks of callers that are logged in. */
export const ofContextsAlone = (): Mutant => {
  let isPublic = false
  return {
    policy: {
      rateKey(...whose) {
        isPublic = false
        return policy.rateKey(...whose)
      },
      publicRateKey(...whose) {
        isPublic = true
        return policy.publicRateKey(...whose)
      },
      blockSeconds: (minimum, earlier) => policy.blockSeconds(minimum, isPublic ? 0 : earlier),
    },
  }
}

/** Uploads are limited as other calls are by the hour, each session by itself. */
export const uploadsByTheHour: Mutant = {
  at: ['sessions.uploadPart'],
  call(call, next) {
    const { state, limits, limiter } = call.service
    const reference = call.path['referenceNumber'] ?? ''
    const session = state.sessions.get(reference)
    const perHour = session && limits.rate('default', session.context)?.perHour
    if (perHour !== undefined) {
      const hour = { span: 3_600_000, maximum: perHour }
      const limited = limiter.pass(call.service.policy, `uploads ${reference}`, [hour], call.now)
      if (limited !== undefined) throw refuse('rate-limited', limited.detail)
    }
    return next(call)
  },
}

/** Uploads of one part are limited to ten in a minute: all of them, or those that are refused. */
export const uploadsOfOnePart = (counted: 'all' | 'refused'): Mutant => {
  const minute = { span: 60_000, maximum: 10 }
  const count = ({ service, path, now }: AnyCall): void => {
    const part = `uploads ${path['referenceNumber']} ${path['ordinalNumber']}`
    const limited = service.limiter.pass(service.policy, part, [minute], now)
    if (limited !== undefined) throw refuse('rate-limited', limited.detail)
  }
  return {
    at: ['sessions.uploadPart'],
    async call(call, next) {
      if (counted === 'all') count(call)
      try {
        return await next(call)
      } catch (error) {
        if (counted === 'refused') count(call)
        throw error
      }
    },
  }
}

/** Uploads are refused while the opening of sessions is blocked. */
export const uploadsBlockedToo = (): Mutant => {
  let isBlocked = false
  return {
    at: ['sessions.openBatch', 'sessions.uploadPart'],
    policy: {
      blockSeconds(minimum, earlier) {
        isBlocked = true
        return policy.blockSeconds(minimum, earlier)
      },
    },
    call(call, next) {
      if (call.operation === 'sessions.openBatch') isBlocked = false
      if (isBlocked) throw refuse('rate-limited')
      return next(call)
    },
  }
}

/** Of the refusals of a block only the first states how long it lasts. */
export const statedOnce = (): Mutant => {
  let isBlocked = false
  return {
    async exchange(running, next) {
      const response = await next(running)
      const again = isBlocked && response.status === 429
      isBlocked = response.status === 429
      if (!again) return response
      const headers = new Headers(response.headers)
      headers.delete('retry-after')
      return new Response(response.body, { status: 429, headers })
    },
  }
}

/** A call of an operation makes every counter begin anew. */
export const resetBy = (operation: OperationId): Mutant => {
  let resets = 0
  return {
    call(call, next) {
      if (call.operation === operation) resets += 1
      return next(call)
    },
    policy: {
      rateKey: (context, address, rule) => `${policy.rateKey(context, address, rule)} ${resets}`,
    },
  }
}
