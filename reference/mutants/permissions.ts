import type { Permission } from '../../contract/types.ts'
import type { Mutant } from './mutant.ts'
import { nipOf } from '../rights/rights.ts'
import { policy } from '../policy/policy.ts'

/** Defects of operations and permissions. */
export const permissionsMutants = {
  'operations.status.never-ends': {
    breaks: ['operations.status.reports'],
    policy: { operationShown: () => 100 },
  },
  'operations.status.done-at-once': {
    breaks: ['operations.status.reports'],
    policy: { operationShown: () => 200 },
  },
  'operations.status.for-everyone': {
    breaks: ['operations.status.isolated'],
    policy: { operationVisible: () => true },
  },
  'operations.status.kept-for-ever': {
    breaks: ['operations.status.kept'],
    policy: { statusKept: () => true },
  },
  'operations.status.soon-forgotten': {
    breaks: ['operations.status.kept'],
    policy: { statusKept: (age, days) => policy.statusKept(age, days / 2) },
  },
  'permissions.grant.not-listed': {
    breaks: ['permissions.grant.listed'],
    policy: { grantListed: () => false },
  },
  'permissions.grant.works-before': {
    breaks: ['permissions.grant.effective'],
    policy: { grantWorksAtOnce: () => true },
  },
  'permissions.grant.writes-not': {
    breaks: ['permissions.grant.effective'],
    policy: { grantGives: (permission) => permission !== 'InvoiceWrite' },
  },
  'permissions.grant.reaches-up': {
    breaks: ['permissions.grant.effective'],
    policy: {
      grantsThere: (_, all, nip) => [...all()].filter(({ context }) => nipOf(context) === nip),
    },
  },
  'permissions.grant.everything-is-passed-on': {
    breaks: ['permissions.grant.effective'],
    policy: { delegable: () => true },
  },
  'permissions.grant.for-one-is-for-all': {
    breaks: ['permissions.grant.effective'],
    policy: { passedOnTo: () => true },
  },
  'permissions.grant.never-refused': {
    breaks: ['permissions.grant.refusals'],
    policy: { grantRefused: () => undefined },
  },
  'permissions.grant.units-of-anyone': {
    breaks: ['permissions.grant.refusals'],
    policy: { grantRefused: (problem) => (problem?.code === 420 ? problem : undefined) },
  },
  'permissions.grant.without-delegation': {
    breaks: ['permissions.grant.refusals'],
    policy: { grantRefused: (problem) => (problem?.code === 420 ? undefined : problem) },
  },
  'permissions.grant.unit-nameless': {
    breaks: ['permissions.grant.refusals'],
    policy: { unitFormFits: (what, fits) => what === 'name' || fits },
  },
  'permissions.grant.unit-unchecked': {
    breaks: ['permissions.grant.refusals'],
    policy: { unitFormFits: (what, fits) => what === 'check digit' || fits },
  },
  'permissions.revoke.authorization-stays': {
    breaks: ['permissions.revoke.effective'],
    policy: { authorizationHolds: () => true },
  },
  'permissions.revoke.without-effect': {
    breaks: ['permissions.revoke.effective'],
    policy: { revocationTakesEffect: () => false },
  },
  'permissions.revoke.old-tokens-work': {
    breaks: ['permissions.revoke.effective'],
    policy: { permissionsInForce: (_, carried) => new Set<Permission>(carried) },
  },
  'permissions.revoke.anyone-may': {
    breaks: ['permissions.revoke.refusals'],
    policy: {
      permitted: (held, required, operation) =>
        operation === 'permissions.revoke' || policy.permitted(held, required, operation),
      revocationNeedsManage: () => true,
    },
  },
  'permissions.revoke.unknown-succeeds': {
    breaks: ['permissions.revoke.refusals'],
    policy: { revocationOfUnknownFails: () => false },
  },
  'permissions.revoke.twice': {
    breaks: ['permissions.revoke.refusals'],
    policy: { revocationTwiceFails: () => false },
  },
  'permissions.revoke.across-contexts': {
    breaks: ['permissions.revoke.refusals'],
    policy: { revocationInContext: () => true },
  },
  'permissions.matrix.nothing-needed': {
    breaks: ['permissions.matrix'],
    policy: { permitted: () => true },
  },
  'permissions.matrix.all-needed': {
    breaks: ['permissions.matrix'],
    policy: { permitted: (held, required) => required.every((permission) => held.has(permission)) },
  },
  'permissions.matrix.first-alone': {
    breaks: ['permissions.matrix'],
    policy: { permitted: (held, required) => required[0] === undefined || held.has(required[0]) },
  },
} as const satisfies Record<string, Mutant>
