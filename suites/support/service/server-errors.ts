import type { Exchange } from '../../../lib/exchange.ts'
import type { Outcome } from '../../../lib/outcome.ts'
import { conformityRules } from '../answers/conformity.ts'
import { rowOf } from '../checks/rule.ts'
import type { Subject } from '../checks/rule.ts'

/** Answers of a gateway, or of a service that is down: the call had no effect. */
const unavailable = new Set([502, 503, 504])

const isInPlaceOfRefusal = ({ due, fault }: Outcome): boolean =>
  due === 'refusal' && fault === 'server error'

/**
 * What a violation means if the service answered with a 5xx in between: nothing, since whatever the check relied on may
 * not have happened. The 5xx itself is a finding of the rule that allows none. That rule, and those by which a service
 * has to survive hostile input, are about such answers, so their violations stand. So does that of the rule of the
 * health check, if the health check itself says that the service is not available. So does the violation of a rule that
 * got the service's own error in place of a refusal: the error contradicts both rules.
 */
export const afterServerError = (
  { rule, variant }: Subject,
  exchanges: readonly Pick<Exchange, 'operation' | 'request' | 'status'>[],
  outcome: Outcome,
): Outcome => {
  if (outcome.kind !== 'violated') return outcome
  const { needs = [] } = rowOf(rule, variant)
  if (needs.includes('hostile') || conformityRules.some((owner) => owner === rule)) return outcome
  const failing =
    exchanges.find(({ status }) => unavailable.has(status)) ??
    (isInPlaceOfRefusal(outcome) ? undefined : exchanges.find(({ status }) => status >= 500))
  if (failing === undefined) return outcome
  if (rule === 'transport.health' && failing.operation === rule) return outcome
  const { operation, request, status } = failing
  const what = unavailable.has(status) ? 'the service was not available' : 'the service failed'
  const reason = `${what} (${status} from ${operation ?? request.method})`
  return { ...outcome, kind: 'inconclusive', reason: `${reason}; then: ${outcome.reason ?? ''}` }
}
