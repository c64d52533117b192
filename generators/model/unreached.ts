import { succeeded } from '../../lib/exchange.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Inconclusive } from '../../lib/outcome.ts'
import { Divergence, outcomeOf } from './divergence.ts'
import type { ModelRule } from './rules.ts'
import type { World } from './world.ts'

/**
 * Steps that did not complete. Every precondition of a step is something that the model expects: where no other client
 * works at the target and no time has to be waited for, a call that is refused and work that never ends are divergences
 * too. To call them inconclusive would let every sequence end before the defect that it has met.
 */

/** The rule that promises the success of a call that a step depends on. */
const promises: Partial<Record<OperationId, ModelRule>> = {
  'auth.challenge': 'auth.challenge.individual',
  'auth.xades': 'auth.xades.accepted',
  'auth.token': 'auth.token.accepted',
  'auth.status': 'auth.status.moves-forward',
  'auth.redeem': 'auth.redeem.issues-pair',
  'auth.refresh': 'auth.refresh.repeatable',
  'auth.sessions': 'auth.sessions.ended',
  'tokens.create': 'tokens.status.moves-forward',
  'tokens.status': 'tokens.status.moves-forward',
  'sessions.openOnline': 'sessions.online.opens',
  'sessions.openBatch': 'sessions.batch.opens',
  'sessions.uploadPart': 'sessions.batch.opens',
  'sessions.closeBatch': 'sessions.batch.close',
  'sessions.status': 'sessions.status.moves-forward',
  'sessions.invoices': 'sessions.invoices.complete',
  'invoices.submit': 'invoices.submit.accepted',
  'invoices.inSession': 'sessions.status.moves-forward',
  'exports.create': 'exports.create.accepted',
  'exports.status': 'exports.status.moves-forward',
  'exports.part': 'exports.package.content',
  'operations.status': 'permissions.grant.effective',
  'permissions.queryPersons': 'permissions.grant.effective',
}

const divergenceUnder = (
  world: World,
  { exchange, step, expected }: Inconclusive,
  rule: ModelRule | undefined,
): Divergence | undefined => {
  // The model does not cover limits, and slow work or a refusal says nothing where the clock is not under our control.
  if (exchange === undefined || rule === undefined || exchange.status === 429) return undefined
  const ours = succeeded(exchange) ? world.still : world.advance !== undefined
  if (!ours) return undefined
  return new Divergence(rule, `${step}: ${expected}`, outcomeOf(exchange), exchange)
}

/** The divergence behind a precondition that was not reached; undefined where it says nothing about the target. */
export const divergenceOf = (world: World, error: Inconclusive): Divergence | undefined =>
  divergenceUnder(world, error, error.exchange?.operation && promises[error.exchange.operation])

/** The same of work that has not ended, under the rule by which it ought to have. */
export const unendedOf = (
  world: World,
  error: Inconclusive,
  rule: ModelRule,
): Divergence | undefined =>
  error.exchange !== undefined && succeeded(error.exchange)
    ? divergenceUnder(world, error, rule)
    : undefined
