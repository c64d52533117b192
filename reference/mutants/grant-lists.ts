import type { OperationId } from '../../contract/endpoints.ts'
import { keyOf } from '../model/entities.ts'
import type { GrantList } from '../policy/permissions.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { answers, calls, ignores, lists, records } from './rewrite.ts'

/** Defects of the lists of permissions. */

/** One list shows the grants of others too. */
const ofOthers = (list: GrantList): Mutant => ({
  policy: {
    grantInScope: (of, grant, viewer) => of === list || policy.grantInScope(of, grant, viewer),
  },
})

/** A list of two kinds is always the same one. */
const asks = (operation: OperationId, queryType: string): Mutant =>
  calls([operation], (call) => ({ ...call, body: { ...(call.body as Fields), queryType } }))

const nobody = { type: 'Nip', value: '1111111111' }
const longAgo = { startDate: '2000-01-01T00:00:00.000Z' }

export const grantListsMutants = {
  'permissions.query.scope/personal-others': ofOthers('personal'),
  'permissions.query.scope/personal-any-context': {
    also: ['permissions.query.narrowed'],
    policy: {
      grantInScope: (list, grant, viewer) =>
        list === 'personal'
          ? viewer.names.has(keyOf(grant.subject))
          : policy.grantInScope(list, grant, viewer),
    },
  },
  'permissions.query.scope/personal-direct-only': {
    policy: {
      grantInScope: (list, grant, viewer) =>
        policy.grantInScope(list, grant, viewer) &&
        (list !== 'personal' || keyOf(grant.context) === viewer.context),
    },
  },
  'permissions.query.narrowed/target-without-direct': answers(
    ['permissions.queryPersonal', 'permissions.queryPersons'],
    (answer, call) => {
      const { permissions } = answer.body as { permissions: readonly Fields[] }
      const asked = (call.body as Fields)['targetIdentifier'] ?? null
      return asked === null
        ? answer
        : {
            ...answer,
            body: {
              ...(answer.body as Fields),
              permissions: permissions.filter(({ targetIdentifier }) => targetIdentifier),
            },
          }
    },
  ),
  'permissions.query.described/personal-names-caller': records(
    ['permissions.queryPersonal'],
    'permissions',
    (_row, { caller }) => ({ authorizedIdentifier: caller?.subject }),
  ),
  'permissions.query.described/always-active': records(
    ['permissions.queryPersons'],
    'permissions',
    { permissionState: 'Active' },
  ),
  'permissions.query.narrowed/personal-any-target': ignores(
    ['permissions.queryPersonal'],
    'targetIdentifier',
  ),
  'permissions.query.narrowed/personal-any-permission': ignores(
    ['permissions.queryPersonal'],
    'permissionTypes',
  ),
  'permissions.query.narrowed/personal-any-state': ignores(
    ['permissions.queryPersonal'],
    'permissionState',
  ),
  'permissions.query.scope/persons-others': ofOthers('persons'),
  'permissions.query.scope/persons-granted-for-in-force': asks(
    'permissions.queryPersons',
    'PermissionsGrantedInCurrentContext',
  ),
  'permissions.query.scope/persons-in-force-for-granted': asks(
    'permissions.queryPersons',
    'PermissionsInCurrentContext',
  ),
  'permissions.query.narrowed/persons-any-holder': ignores(
    ['permissions.queryPersons'],
    'authorizedIdentifier',
  ),
  'permissions.query.narrowed/persons-any-author': ignores(
    ['permissions.queryPersons'],
    'authorIdentifier',
  ),
  'permissions.query.narrowed/persons-any-context': ignores(
    ['permissions.queryPersons'],
    'contextIdentifier',
  ),
  'permissions.query.narrowed/persons-any-target': ignores(
    ['permissions.queryPersons'],
    'targetIdentifier',
  ),
  'permissions.query.narrowed/persons-any-permission': ignores(
    ['permissions.queryPersons'],
    'permissionTypes',
  ),
  'permissions.query.narrowed/persons-any-state': ignores(
    ['permissions.queryPersons'],
    'permissionState',
  ),
  'permissions.query.scope/subunits-others': ofOthers('subunits'),
  'permissions.query.narrowed/subunits-any-unit': ignores(
    ['permissions.querySubunits'],
    'subunitIdentifier',
  ),
  'permissions.query.scope/entities-others': ofOthers('entities'),
  'permissions.query.narrowed/entities-any-context': ignores(
    ['permissions.queryEntities'],
    'contextIdentifier',
  ),
  'permissions.query.narrowed/subordinate-roles-any-entity': ignores(
    ['permissions.querySubordinateRoles'],
    'subordinateEntityIdentifier',
  ),
  'permissions.query.scope/authorizations-others': ofOthers('authorizations'),
  'permissions.query.scope/authorizations-received-for-granted': asks(
    'permissions.queryAuthorizations',
    'Received',
  ),
  'permissions.query.scope/authorizations-granted-for-received': asks(
    'permissions.queryAuthorizations',
    'Granted',
  ),
  'permissions.query.narrowed/authorizations-any-holder': ignores(
    ['permissions.queryAuthorizations'],
    'authorizedIdentifier',
  ),
  'permissions.query.narrowed/authorizations-any-grantor': ignores(
    ['permissions.queryAuthorizations'],
    'authorizingIdentifier',
  ),
  'permissions.query.narrowed/authorizations-any-permission': ignores(
    ['permissions.queryAuthorizations'],
    'permissionTypes',
  ),
  'permissions.query.scope/eu-others': ofOthers('eu'),
  'permissions.query.narrowed/eu-any-entity': ignores(['permissions.queryEu'], 'vatUeIdentifier'),
  'permissions.query.narrowed/eu-any-fingerprint': ignores(
    ['permissions.queryEu'],
    'authorizedFingerprintIdentifier',
  ),
  'permissions.query.narrowed/eu-any-permission': ignores(
    ['permissions.queryEu'],
    'permissionTypes',
  ),
  'permissions.query.scope/shows-revoked': {
    policy: { grantListed: () => true },
  },
  'permissions.query.described/persons-author-unknown': records(
    ['permissions.queryPersons'],
    'permissions',
    { authorIdentifier: nobody },
  ),
  'permissions.query.described/persons-always-delegable': records(
    ['permissions.queryPersons'],
    'permissions',
    { canDelegate: true },
  ),
  'permissions.query.described/persons-never-active': records(
    ['permissions.queryPersons'],
    'permissions',
    { permissionState: 'Inactive' },
  ),
  'permissions.query.described/persons-nameless': records(
    ['permissions.queryPersons'],
    'permissions',
    { subjectPersonDetails: null },
  ),
  'permissions.query.described/persons-target-lost': records(
    ['permissions.queryPersons'],
    'permissions',
    { targetIdentifier: null },
  ),
  'permissions.query.described/persons-beginning-unknown': records(
    ['permissions.queryPersons'],
    'permissions',
    longAgo,
  ),
  'permissions.query.described/persons-description-lost': records(
    ['permissions.queryPersons'],
    'permissions',
    { description: 'a permission' },
  ),
  'permissions.query.described/personal-context-unknown': records(
    ['permissions.queryPersonal'],
    'permissions',
    { contextIdentifier: nobody },
  ),
  'permissions.query.described/personal-holder-unknown': records(
    ['permissions.queryPersonal'],
    'permissions',
    { authorizedIdentifier: nobody },
  ),
  'permissions.query.described/subunits-name-lost': records(
    ['permissions.querySubunits'],
    'permissions',
    { subunitName: null },
  ),
  'permissions.query.described/subunits-unit-unknown': records(
    ['permissions.querySubunits'],
    'permissions',
    { subunitIdentifier: nobody },
  ),
  'permissions.query.described/subunits-author-unknown': records(
    ['permissions.querySubunits'],
    'permissions',
    { authorIdentifier: nobody },
  ),
  'permissions.query.described/entities-grantor-unknown': records(
    ['permissions.queryEntities'],
    'permissions',
    { contextIdentifier: nobody },
  ),
  'permissions.query.described/entities-never-delegable': records(
    ['permissions.queryEntities'],
    'permissions',
    { canDelegate: false },
  ),
  'permissions.query.described/authorizations-grantor-unknown': records(
    ['permissions.queryAuthorizations'],
    'authorizationGrants',
    {
      authorizingEntityIdentifier: nobody,
    },
  ),
  'permissions.query.described/authorizations-nameless': records(
    ['permissions.queryAuthorizations'],
    'authorizationGrants',
    {
      subjectEntityDetails: null,
    },
  ),
  'permissions.query.described/eu-name-lost': records(['permissions.queryEu'], 'permissions', {
    euEntityName: 'EU entity',
  }),
  'permissions.query.described/eu-details-lost': records(['permissions.queryEu'], 'permissions', {
    euEntityDetails: null,
  }),
  'permissions.query.described/eu-author-unknown': records(['permissions.queryEu'], 'permissions', {
    authorIdentifier: nobody,
  }),
  'permissions.query.described/roles-parent-lost': records(['permissions.queryRoles'], 'roles', {
    parentEntityIdentifier: null,
  }),
  'permissions.query.described/roles-one-for-all': lists(
    ['permissions.queryRoles'],
    'roles',
    (roles) => roles.map(() => roles[0]),
  ),
  'permissions.query.described/roles-description-lost': records(
    ['permissions.queryRoles'],
    'roles',
    { description: 'a role' },
  ),
} as const satisfies Readonly<Record<string, Mutant>>
