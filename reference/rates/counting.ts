import type { OperationId } from '../../contract/endpoints.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { rateRules } from '../../contract/limits.ts'
import { refuse } from '../base/refusals.ts'
import type { Caller } from '../call/call.ts'
import type { Service } from '../call/service.ts'
import { keyOf } from '../model/entities.ts'
import type { Limited } from './limiter.ts'

/** Counts calls against the rate table. Source: specification, Rate limits. */

const countPublic = (
  { policy, limits, limiter, clock }: Service,
  operation: OperationId,
  address: string,
): Limited | undefined => {
  const perSecond = limits.publicPerSecond()
  if (perSecond === undefined) return undefined
  const key = policy.publicRateKey(address, operation)
  return limiter.pass(policy, key, policy.publicThresholds(perSecond), clock.now())
}

const countByRule = (
  { policy, limits, limiter, clock, dialect }: Service,
  rule: RateRuleId,
  operation: OperationId,
  { context }: Caller,
  address: string,
): Limited | undefined => {
  const window = limits.rate(rule, context)
  if (window === undefined) return undefined
  const counter = policy.rateCounter(dialect.shares?.[rule] ?? rule, operation)
  const key = policy.rateKey(keyOf(context), address, counter)
  return limiter.pass(policy, key, policy.thresholds(window), clock.now())
}

/**
 * Counts one call against the rate of its operation: a row of the table, `public` or `unlimited`.
 * @throws refusal rate-limited
 */
export const countCall = (
  service: Service,
  operation: OperationId,
  rate: string,
  caller: Caller | undefined,
  address: string,
): void => {
  if (rate === 'unlimited') return
  let limited: Limited | undefined
  if (rate === 'public') limited = countPublic(service, operation, address)
  else if (caller !== undefined && rate in rateRules)
    limited = countByRule(service, rate as RateRuleId, operation, caller, address)
  if (limited === undefined) return
  const retryAfter = String(limited.retryAfter)
  throw refuse('rate-limited', limited.detail, { headers: { 'retry-after': retryAfter } })
}
