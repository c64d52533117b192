import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Permission } from '../../../contract/types.ts'
import { Refused, refuse } from '../../base/refusals.ts'
import { policy } from '../../policy/policy.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** A permission that is not sufficient opens an operation on what exists; on anything else it is refused correctly. */

const others = [
  'InvoiceWrite',
  'InvoiceRead',
  'Introspection',
  'CredentialsRead',
  'CredentialsManage',
  'SubunitManage',
] as const satisfies readonly Permission[]

const openedBy = (operation: OperationId, permission: Permission): Mutant => ({
  at: [operation],
  policy: {
    permitted: (held, required) => policy.permitted(held, required) || held.has(permission),
  },
  async call(call, next) {
    try {
      return await next(call)
    } catch (error) {
      const required = endpoint(operation).permissions ?? []
      if (error instanceof Refused && !policy.permitted(call.caller!.permissions(), required))
        throw refuse('missing-permission')
      throw error
    }
  },
})

/** Operations on something that their path names; revocations look at the rights of their caller once more. */
const onSomething = operationIds.filter(
  (id) =>
    endpoint(id).permissions !== undefined &&
    endpoint(id).path.includes('{') &&
    !id.startsWith('permissions.revoke'),
)

const rulesOf = (operation: OperationId): Rules =>
  operation === 'invoices.byNumber' || operation === 'invoices.bySvcNumber'
    ? ['invoices.get.parties-only', 'permissions.matrix']
    : ['permissions.matrix']

/** One permission for each operation: of those that do not open it, another in turn. */
export const openedWherePresent = (): Generated[] =>
  onSomething.map((operation, place) => {
    const required: readonly Permission[] = endpoint(operation).permissions ?? []
    const wrong = others.filter((permission) => !required.includes(permission))
    const permission = wrong[place % wrong.length]!
    return generated(
      'opened',
      `${operation}.${permission}`,
      rulesOf(operation),
      openedBy(operation, permission),
    )
  })
