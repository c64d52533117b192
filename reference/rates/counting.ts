import type { Dialect } from '../../contract/dialect.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import { rateRules } from '../../contract/limits.ts'
import { refuse } from '../base/refusals.ts'
import type { ContextIdentifier } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { Policy } from '../policy/policy.ts'
import type { Clock } from '../time/clock.ts'
import type { Limited, Limiter } from './limiter.ts'
import type { Limits } from './limits.ts'

/** Counts calls against the rate table. Source: specification, Rate limits. */

/** The parts of a service that count its calls. */
interface Counting {
  readonly policy: Policy
  readonly limits: Limits
  readonly limiter: Limiter
  readonly clock: Clock
  readonly dialect: Dialect
}

const countPublic = (
  { policy, limits, limiter, clock }: Counting,
  operation: OperationId,
  address: string,
): Limited | undefined => {
  const perSecond = limits.publicPerSecond()
  if (perSecond === undefined) return undefined
  const key = policy.publicRateKey(address, operation)
  return limiter.pass(policy, key, policy.publicThresholds(perSecond), clock.now())
}

const countByRule = (
  { policy, limits, limiter, clock, dialect }: Counting,
  rule: RateRuleId,
  operation: OperationId,
  context: ContextIdentifier,
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
  counting: Counting,
  operation: OperationId,
  rate: string,
  caller: { readonly context: ContextIdentifier } | undefined,
  address: string,
): void => {
  if (rate === 'unlimited') return
  let limited: Limited | undefined
  if (rate === 'public') limited = countPublic(counting, operation, address)
  else if (caller !== undefined && rate in rateRules)
    limited = countByRule(counting, rate as RateRuleId, operation, caller.context, address)
  if (limited === undefined) return
  const retryAfter = String(limited.retryAfter)
  throw refuse('rate-limited', limited.detail, { headers: { 'retry-after': retryAfter } })
}
