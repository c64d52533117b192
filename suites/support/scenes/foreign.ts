import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { RuleId } from '../../../contract/rules.ts'

/** By the beginning of an operation's id, the rule that keeps its resources to their context. */
const rules: Readonly<Record<string, RuleId>> = {
  'auth.': 'auth.sessions.ended',
  'tokens.': 'tokens.list.scope',
  'sessions.': 'sessions.online.isolated',
  'invoices.submit': 'sessions.online.isolated',
  'invoices.inSession': 'sessions.online.isolated',
  'invoices.': 'invoices.get.parties-only',
  'receipts.link': 'receipts.link.parties-only',
  'receipts.': 'sessions.online.isolated',
  'exports.': 'exports.isolated',
  'operations.': 'operations.status.isolated',
  'permissions.': 'permissions.revoke.refusals',
  'certificates.enrollment': 'certificates.enrol',
  'certificates.': 'certificates.revoke',
  'testdata.': 'certificates.revoke',
}

/** The rule that an operation breaks when it shows a resource of another context. */
export const foreignRuleOf = (operation: OperationId): RuleId => {
  const found = Object.entries(rules).find(([beginning]) => operation.startsWith(beginning))
  if (found === undefined) throw new Error(`foreign: name the rule of ${operation}`)
  return found[1]
}

/** How an operation refuses a resource of another context: as one that does not exist. */
export const foreignRefusalOf = (operation: OperationId): RefusalId => {
  if (operation.startsWith('permissions.')) return 'permission-no-access'
  const refusals = (endpoint(operation).refusals ?? []) as readonly RefusalId[]
  const found = refusals.find((id) => id.endsWith('-unknown'))
  if (found === undefined) throw new Error(`${operation} has no refusal of an unknown resource`)
  return found
}
