import type { OperationId } from '../../contract/endpoints.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { rateRules } from '../../contract/limits.ts'
import type { Service } from '../call/service.ts'
import { keyOf } from '../model/entities.ts'
import type { Caller } from '../call/call.ts'
import type { Limited } from './limiter.ts'
import { refuse } from '../base/refusals.ts'

/** Counts calls against the rate table. Source: specification, Rate limits. */

/**
 * Counts one call against the rate of its operation: a row of the table, `public` or `unlimited`.
 * @throws refusal rate-limited
 */
export type Count = (
  operation: OperationId,
  rate: string,
  caller: Caller | undefined,
  address: string,
) => void

export const createCounting = (service: Service): Count => {
  const { dialect } = service

  const publicly = (operation: OperationId, address: string): Limited | undefined => {
    const { policy, limits, limiter, clock } = service
    const perSecond = limits.publicPerSecond()
    if (perSecond === undefined) return undefined
    const thresholds = policy.publicIsOutside()
      ? policy.publicThresholds(perSecond)
      : policy.thresholds(limits.productionRates().default)
    return limiter.pass(policy.publicRateKey(address, operation), thresholds, clock.now())
  }

  const byRule = (
    rule: RateRuleId,
    operation: OperationId,
    { context }: Caller,
    address: string,
  ): Limited | undefined => {
    const { policy, limits, limiter, clock } = service
    const window = limits.rate(rule, context)
    if (window === undefined) return undefined
    const counter = policy.rateCounter(dialect.shares?.[rule] ?? rule, operation)
    const key = policy.rateKey(keyOf(context), address, counter)
    return limiter.pass(key, policy.thresholds(window), clock.now())
  }

  return (operation, rate, caller, address) => {
    if (rate === 'unlimited') return
    let limited: Limited | undefined
    if (rate === 'public') limited = publicly(operation, address)
    else if (caller !== undefined && rate in rateRules)
      limited = byRule(rate as RateRuleId, operation, caller, address)
    if (limited === undefined) return
    const retryAfter = String(limited.retryAfter)
    throw refuse('rate-limited', limited.detail, { headers: { 'retry-after': retryAfter } })
  }
}
