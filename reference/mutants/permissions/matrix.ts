import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { Permission } from '../../../contract/types.ts'
import type { Running } from '../../call/exchange.ts'
import { policy } from '../../policy/policy.ts'
import { refusedTooLate } from '../callers.ts'
import { grantedAnywhere } from '../granted-anywhere.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'

/** The token that a caller logged in with holds more than it carries. */
const carriesToo = (held: string, more: 'InvoiceRead' | 'InvoiceWrite'): Mutant => ({
  tables: {
    tokens: {
      read: (found) =>
        found?.permissions.some((one) => one === held) === true
          ? { ...found, permissions: [...found.permissions, more] }
          : found,
    },
  },
})

/** The token that a caller logged in with carries other permissions than it was issued with. */
const carries = (change: (held: readonly Permission[]) => readonly Permission[]): Mutant => ({
  tables: {
    tokens: {
      read: (found) => found && { ...found, permissions: change(found.permissions) },
    },
  },
})

/** Some calls need no permission. */
const openWhere = (isSuch: (running: Running) => boolean): Mutant => {
  let isOpen = false
  return {
    exchange(running, next) {
      isOpen = isSuch(running)
      return next(running)
    },
    policy: { permitted: (held, required) => isOpen || policy.permitted(held, required) },
  }
}

/** A path by which an operation needs no permission. */
const openBy = (
  path: RegExp,
  operation: 'exports.create' | 'exports.status' | 'invoices.submit',
): Mutant => ({
  at: [operation],
  absentIn: ({ operations }) =>
    operations[operation] === undefined ? undefined : 'these operations have one path each',
  ...openWhere((running) => path.test(running.path)),
})

/** In the context of a unit, whoever may work there may do everything. */
const openInUnits = (): Mutant => {
  let isUnit = false
  return {
    tables: {
      authentications: {
        read(found) {
          isUnit = found?.context.type === 'InternalId'
          return found
        },
      },
    },
    policy: { permitted: (held, required) => isUnit || policy.permitted(held, required) },
  }
}

const all = [
  'InvoiceRead',
  'InvoiceWrite',
  'Introspection',
  'CredentialsRead',
  'CredentialsManage',
  'SubunitManage',
] as const satisfies readonly Permission[]

/** Operations that need a permission. */
const needing = operationIds.filter((id) => endpoint(id).permissions !== undefined)

/** Calls without their permission are refused only after they took effect. */
const doneThoughMissing: Mutant = {
  policy: { permitted: () => true },
  ...refusedTooLate('missing-permission', ({ caller, operation }) => {
    const { permissions } = endpoint(operation)
    return (
      caller !== undefined &&
      permissions !== undefined &&
      !policy.permitted(caller.permissions(), permissions)
    )
  }),
}

/** Defects of what a permission allows. */
export const permissionsMatrixMutants = {
  'permissions.matrix/nothing-needed': { policy: { permitted: () => true } },
  'permissions.matrix/done-anyway': doneThoughMissing,
  'permissions.matrix/sessions-done-anyway': {
    at: ['sessions.openOnline', 'sessions.openBatch', 'sessions.closeOnline', 'invoices.submit'],
    ...doneThoughMissing,
  },
  'permissions.matrix/limits-for-introspection-only': refuses(
    ['limits.context', 'limits.subject', 'limits.rates'],
    'missing-permission',
    ({ caller }) => caller?.permissions().has('Introspection') === false,
  ),
  'permissions.matrix/all-needed': {
    also: ['sessions.online.needs-permission'],
    policy: { permitted: (held, required) => required.every((permission) => held.has(permission)) },
  },
  'permissions.matrix/first-alone': {
    policy: { permitted: (held, required) => required[0] === undefined || held.has(required[0]) },
  },
  'permissions.matrix/administrators-open-sessions': {
    also: ['sessions.online.needs-permission'],
    at: ['sessions.openOnline'],
    policy: {
      permitted: (held, required) =>
        policy.permitted(held, required) || held.has('CredentialsManage'),
    },
  },
  'permissions.matrix/export-by-the-other-path': openBy(/\/invoices\/export$/, 'exports.create'),
  'permissions.matrix/exports-by-the-other-path': openBy(/\/invoices\/export\//, 'exports.status'),
  'permissions.matrix/submissions-with-a-slash': openBy(/\/$/, 'invoices.submit'),
  'permissions.matrix/unchecked-where-a-list-goes-on': openWhere(
    ({ headers }) => headers['x-continuation-token'] !== undefined,
  ),
  'permissions.matrix/everything-in-units': openInUnits(),
  'permissions.matrix/granted-anywhere': grantedAnywhere(needing),
  'permissions.matrix/granted-anywhere-to-tokens': grantedAnywhere(
    needing,
    ({ method }) => method === 'Token',
  ),
  'permissions.matrix/tokens-that-write-read': carriesToo('InvoiceWrite', 'InvoiceRead'),
  'permissions.matrix/tokens-that-read-write': carriesToo('InvoiceRead', 'InvoiceWrite'),
  'permissions.matrix/tokens-enforce-too': carries((held) => [...held, 'EnforcementOperations']),
  'permissions.matrix/tokens-collect-too': {
    needs: 'invoices.createCollective',
    ...carries((held) => [...held, 'CollectiveIdentifierManage']),
  },
  'permissions.matrix/tokens-never-collect': {
    needs: 'invoices.createCollective',
    ...carries((held) => held.filter((permission) => permission !== 'CollectiveIdentifierManage')),
  },
  'permissions.matrix/tokens-never-enforce': carries((held) =>
    held.filter((permission) => permission !== 'EnforcementOperations'),
  ),
  'permissions.matrix/refreshed-tokens-carry-all': {
    tables: {
      tokens: {
        read: (found, _key, { authentications }) =>
          found !== undefined &&
          [...authentications.values()].some(
            ({ token, refreshedAt }) =>
              token === found.referenceNumber && refreshedAt !== undefined,
          )
            ? { ...found, permissions: all }
            : found,
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
