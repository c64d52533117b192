import type { GrantKind } from '../../../model/entities.ts'
import { keyOf, nipOf } from '../../../model/entities.ts'
import { policy } from '../../../policy/policy.ts'
import type { Mutant } from '../../mutant.ts'
import type { Fields } from '../../rewrite.ts'
import { bodies, ignores, lists, records } from '../../rewrite.ts'
import { collapsed, decoded, escaped, shows } from '../../spellings.ts'

const nobody = { type: 'Nip', value: '1111111111' }
const longAgo = { startDate: '2000-01-01T00:00:00.000Z' }

/** Grants of one kind name the taxpayer as their author. */
const byTheTaxpayer = (kind: GrantKind): Mutant => ({
  tables: {
    grants: {
      write: (next, before) =>
        before === undefined && next.kind === kind
          ? { ...next, author: { type: 'Nip', value: nipOf(next.grantedIn) } }
          : next,
    },
  },
})

/** Grants of one kind are shown to their author only. */
const toItsAuthor = (kind: GrantKind): Mutant => ({
  policy: {
    grantInScope: (list, grant, viewer) =>
      policy.grantInScope(list, grant, viewer) &&
      (list !== 'persons' ||
        grant.kind !== kind ||
        ('value' in grant.author && viewer.names.has(keyOf(grant.author)))),
  },
})

/** Defects of what the lists of permissions say of each. */
export const permissionsQueryDescribedMutants = {
  'permissions.query.described/personal-names-caller': records(
    ['permissions.queryPersonal'],
    'permissions',
    (_row, { caller }) => ({ authorizedIdentifier: caller?.subject }),
  ),
  'permissions.query.described/entities-by-the-taxpayer': byTheTaxpayer('entity'),
  'permissions.query.described/passed-on-by-the-taxpayer': byTheTaxpayer('indirect'),
  'permissions.query.described/eu-administrators-by-the-taxpayer':
    byTheTaxpayer('euAdministration'),
  'permissions.query.described/entities-to-their-author': toItsAuthor('entity'),
  'permissions.query.described/passed-on-to-its-author': toItsAuthor('indirect'),
  'permissions.query.described/bailiffs-since-today': ignores(
    ['testdata.createPerson'],
    'createdDate',
  ),
  'permissions.query.described/bailiffs-undescribed': records<{ readonly role: string }>(
    ['permissions.queryRoles'],
    'roles',
    ({ role }) => (role === 'CourtBailiff' ? { description: 'a role' } : {}),
  ),
  'permissions.query.described/always-active': records(
    ['permissions.queryPersons'],
    'permissions',
    { permissionState: 'Active' },
  ),
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
  'permissions.query.described/entity-of-administrators-alone': bodies<{
    readonly permissions: readonly Fields[]
  }>(['permissions.queryEu'], ({ permissions }, { service }) => ({
    permissions: permissions.map(({ euEntityDetails, ...row }) =>
      service.state.grants.get(String(row['id']))?.kind === 'eu'
        ? row
        : { ...row, euEntityDetails },
    ),
  })),
  'permissions.query.described/texts-of-persons-escaped': shows(
    ['permissions.queryPersons'],
    escaped,
  ),
  'permissions.query.described/spaces-of-persons-collapsed': shows(
    ['permissions.queryPersons'],
    collapsed,
  ),
  'permissions.query.described/texts-of-units-decoded': shows(
    ['permissions.querySubunits'],
    decoded,
  ),
  'permissions.query.described/spaces-of-units-collapsed': shows(
    ['permissions.querySubunits'],
    collapsed,
  ),
  'permissions.query.described/texts-of-authorizations-escaped': shows(
    ['permissions.queryAuthorizations'],
    escaped,
  ),
  'permissions.query.described/spaces-of-authorizations-collapsed': shows(
    ['permissions.queryAuthorizations'],
    collapsed,
  ),
  'permissions.query.described/texts-of-eu-entities-escaped': shows(
    ['permissions.queryEu'],
    escaped,
  ),
  'permissions.query.described/spaces-of-eu-entities-collapsed': shows(
    ['permissions.queryEu'],
    collapsed,
  ),
} as const satisfies Readonly<Record<string, Mutant>>
