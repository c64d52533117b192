import type { Permission } from '../../contract/types.ts'
import { nipOf } from '../model/entities.ts'
import type { Policy } from '../policy/policy.ts'
import { policy } from '../policy/policy.ts'
import { startOperation } from '../rights/operations.ts'
import type { Mutant } from './mutant.ts'
import { accepts, bodies } from './rewrite.ts'

/** Defects of operations and permissions. */

const operationShown = (code: number): Mutant =>
  bodies(['operations.status'], ({ status }: { status: object }) => ({
    status: { ...status, code },
  }))

/** Grants in units, and of powers, that are not the context's to give. */
const anyUnit: Partial<Policy> = {
  enforcementGrantable: () => true,
  unitOfContext: () => true,
  unitSubordinate: () => true,
  euEntityOfContext: () => true,
}

export const permissionsMutants = {
  'operations.status.reports/never-ends': operationShown(100),
  'operations.status.reports/done-at-once': operationShown(200),
  'operations.status.isolated/for-everyone': {
    policy: { operationVisible: () => true },
  },
  'operations.status.kept/kept-for-ever': {
    policy: { statusKept: () => true },
  },
  'operations.status.kept/soon-forgotten': {
    policy: { statusKept: (age, days) => policy.statusKept(age, days / 2) },
  },
  'permissions.grant.listed/not-listed': {
    policy: { grantListed: () => false },
  },
  'permissions.grant.effective/works-before': {
    tables: {
      operations: {
        write(next, before, { grants }) {
          if (before === undefined && next.task.kind === 'grant')
            for (const grant of next.task.grants) grants.put({ ...grant, startsAt: next.startedAt })
          return next
        },
      },
    },
  },
  'permissions.grant.effective/writes-not': {
    tables: {
      grants: {
        write: (next) =>
          next.permission === 'InvoiceWrite' && next.kind !== 'testdata' ? undefined : next,
      },
    },
  },
  'permissions.grant.effective/reaches-up': {
    tables: {
      grants: {
        find(found, index, value, table) {
          const nip = value.slice(value.indexOf(':') + 1).slice(0, 10)
          return index === 'context'
            ? [...table.values()].filter(({ context }) => nipOf(context) === nip)
            : found
        },
      },
    },
  },
  'permissions.grant.effective/everything-is-passed-on': {
    policy: { mayPassOn: () => true },
  },
  'permissions.grant.effective/for-one-is-for-all': {
    policy: { passedOnTo: () => true },
  },
  'permissions.grant.refusals/never-refused': {
    policy: { ...anyUnit, delegated: () => true },
  },
  'permissions.grant.refusals/units-of-anyone': {
    policy: anyUnit,
  },
  'permissions.grant.refusals/without-delegation': {
    policy: { delegated: () => true },
  },
  'permissions.grant.refusals/unit-nameless': {
    policy: { unitNameFits: () => true },
  },
  'permissions.grant.refusals/unit-unchecked': {
    policy: { unitCheckDigitFits: () => true },
  },
  'permissions.revoke.effective/authorization-stays': {
    policy: { authorizationHolds: () => true },
  },
  'permissions.revoke.effective/without-effect': {
    tables: {
      grants: {
        write: (next, before) =>
          before !== undefined && next.revokedAt !== undefined ? undefined : next,
      },
    },
  },
  'permissions.revoke.effective/old-tokens-work': {
    policy: { permissionsInForce: (_, carried) => new Set<Permission>(carried) },
  },
  'permissions.revoke.refusals/anyone-may': {
    at: ['permissions.revoke'],
    policy: { permitted: () => true, revocationPermitted: () => true },
  },
  'permissions.revoke.refusals/unknown-succeeds': accepts(
    ['permissions.revoke'],
    ['permission-unknown'],
    ({ caller, path, ...call }) => {
      if (caller === undefined) return undefined
      const permissionId = path['permissionId'] ?? ''
      const by = caller.subject
      const task = { kind: 'revoke', permissionId, by, authorization: false } as const
      return startOperation({ ...call, caller, path }, task)
    },
  ),
  'permissions.revoke.refusals/twice': {
    policy: { revokedBefore: () => false },
  },
  'permissions.revoke.refusals/across-contexts': {
    policy: { revocationInContext: () => true },
  },
  'permissions.matrix/nothing-needed': {
    policy: { permitted: () => true },
  },
  'permissions.matrix/all-needed': {
    also: ['sessions.online.needs-permission'],
    policy: { permitted: (held, required) => required.every((permission) => held.has(permission)) },
  },
  'permissions.matrix/first-alone': {
    policy: { permitted: (held, required) => required[0] === undefined || held.has(required[0]) },
  },
  'permissions.grant.effective/for-the-first-unit-only': {
    policy: { unitSubordinate: (entity, unit) => entity?.subunits[0]?.nip === unit },
  },
  'permissions.query.scope/units-of-everyone': {
    at: ['permissions.querySubordinateRoles'],
    tables: {
      subjects: {
        read: (found, _key, { subjects }) =>
          found ?? [...subjects.values()].find(({ subunits }) => subunits.length > 0),
      },
    },
  },
  'operations.status.reports/revocations-never-end': {
    at: ['permissions.revoke', 'permissions.revokeAuthorization'],
    later: () => undefined,
  },
  'permissions.revoke.refusals/twice-at-once': {
    at: ['operation'],
    policy: { revokedBefore: () => false },
  },
} as const satisfies Readonly<Record<string, Mutant>>
