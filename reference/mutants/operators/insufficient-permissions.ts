import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { permissions } from '../../../contract/types.ts'
import type { Permission } from '../../../contract/types.ts'
import type { Authentication } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import { grantedAnywhere } from '../granted-anywhere.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Operations that a permission opens which does not suffice, and such that ask one kind of login for none. */

/** Where a rule of its own states that an operation needs a permission. */
const stated: readonly (readonly [OperationId, RuleId])[] = [
  ['sessions.openOnline', 'sessions.online.needs-permission'],
  ['invoices.submit', 'sessions.online.needs-permission'],
  ['invoices.send', 'invoices.send.alternative'],
  ['exports.create', 'exports.create.accepted'],
  ['queries.metadata', 'queries.metadata.filters'],
]

/** Permissions that only some contexts know, or that nobody grants. */
const special: ReadonlySet<Permission> = new Set([
  'CollectiveIdentifierManage',
  'EnforcementOperations',
  'VatUeManage',
  'PefInvoiceWrite',
])

const opensToo = (operation: OperationId, permission: Permission): Mutant => ({
  at: [operation],
  policy: {
    permitted: (held, required) => held.has(permission) || policy.permitted(held, required),
  },
})

/** The permissions of the owner, of whom such a login is a deputy, count for it. */
const asOwner = (operation: OperationId, isSuch: (login: Authentication) => boolean): Mutant => {
  let taken = false
  return {
    at: [operation],
    policy: { permitted: (held, required) => taken || policy.permitted(held, required) },
    tables: {
      authentications: {
        read(found) {
          taken = found !== undefined && isSuch(found)
          return found
        },
      },
    },
  }
}

const logins = {
  'of-a-token': ({ method }: Authentication) => method === 'Token',
  'of-a-person': ({ method }: Authentication) => method !== 'Token',
} as const

/** Each such operation x each permission that does not suffice, and x each kind of login, twice. */
export const insufficientPermissions = (): Generated[] =>
  stated.flatMap(([operation, rule]) => [
    ...permissions
      .filter(
        (one) => !special.has(one) && endpoint(operation).permissions?.includes(one) === false,
      )
      .map((one) =>
        generated('insufficient', `${operation}.${one}`, [rule], opensToo(operation, one)),
      ),
    ...Object.entries(logins)
      // What a path names is found by a token of its owner alone.
      .filter(([kind]) => kind === 'of-a-token' || !endpoint(operation).path.includes('{'))
      .map(([kind, isSuch]) =>
        generated('insufficient', `${operation}.${kind}`, [rule], asOwner(operation, isSuch)),
      ),
    // What a path names is another caller's, who may be refused for that.
    ...Object.entries(logins)
      .filter(() => !endpoint(operation).path.includes('{'))
      .map(([kind, isSuch]) =>
        generated(
          'insufficient',
          `${operation}.granted-elsewhere-${kind}`,
          [rule],
          grantedAnywhere([operation], isSuch),
        ),
      ),
  ])
