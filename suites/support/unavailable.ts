import type { Exchange } from '../../lib/exchange.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { conformityRules } from './conformity.ts'
import { rowOf } from './rule.ts'
import type { Subject } from './rule.ts'

/** Answers of a gateway, or of a service that is not at work: what was called for did not happen. */
const unavailable = new Set([502, 503, 504])

/**
 * What a contradiction says that was seen at a service that was not available in between: nothing, since whatever the
 * check relied on may not have happened. The answer itself is a finding of the rule that allows no 5xx. That rule, and
 * those by which a service has to survive a hostile input, are about such answers, and stay violated.
 */
export const afterUnavailable = (
  { rule, variant }: Subject,
  exchanges: readonly Pick<Exchange, 'operation' | 'request' | 'status'>[],
  outcome: Outcome,
): Outcome => {
  if (outcome.kind !== 'violated') return outcome
  const { needs = [] } = rowOf(rule, variant)
  if (needs.includes('hostile') || conformityRules.some((owner) => owner === rule)) return outcome
  const gone = exchanges.find(({ status }) => unavailable.has(status))
  if (gone === undefined) return outcome
  const { operation, request, status } = gone
  const reason = `the service was not available (${status} from ${operation ?? request.method})`
  return { ...outcome, kind: 'inconclusive', reason: `${reason}; then: ${outcome.reason ?? ''}` }
}
