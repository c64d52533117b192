import { continuesAsTheWhole } from '../../pages.ts'
import type { Mutant } from '../../mutant.ts'
import { calls, firstTenOnly, lists, neverEnds } from '../../rewrite.ts'

/** Defects of the pages of the lists of permissions. */
export const permissionsQueryPagedMutants = {
  'permissions.query.paged/persons-first-page-only': firstTenOnly(
    ['permissions.queryPersons'],
    'permissions',
  ),
  'permissions.query.paged/subunits-first-page-only': firstTenOnly(
    ['permissions.querySubunits'],
    'permissions',
  ),
  'permissions.query.paged/entities-first-page-only': firstTenOnly(
    ['permissions.queryEntities'],
    'permissions',
  ),
  'permissions.query.paged/authorizations-first-page-only': firstTenOnly(
    ['permissions.queryAuthorizations'],
    'authorizationGrants',
  ),
  'permissions.query.paged/eu-first-page-only': firstTenOnly(
    ['permissions.queryEu'],
    'permissions',
  ),
  'permissions.query.paged/personal-first-page-only': firstTenOnly(
    ['permissions.queryPersonal'],
    'permissions',
  ),
  'permissions.query.paged/subordinate-roles-first-page-only': firstTenOnly(
    ['permissions.querySubordinateRoles'],
    'roles',
  ),
  'permissions.query.paged/personal-never-ends': neverEnds(
    ['permissions.queryPersonal'],
    'permissions',
  ),
  'permissions.query.paged/roles-never-ends': neverEnds(['permissions.queryRoles'], 'roles'),
  'permissions.query.paged/subordinate-roles-never-ends': neverEnds(
    ['permissions.querySubordinateRoles'],
    'roles',
  ),
  'permissions.query.paged/persons-never-ends': neverEnds(
    ['permissions.queryPersons'],
    'permissions',
  ),
  'permissions.query.paged/eu-never-ends': neverEnds(['permissions.queryEu'], 'permissions'),
  'permissions.query.paged/oldest-first': lists(
    [
      'permissions.queryPersonal',
      'permissions.queryPersons',
      'permissions.querySubunits',
      'permissions.queryEntities',
      'permissions.queryEu',
    ],
    'permissions',
    (permissions) => permissions.toReversed(),
  ),
  'permissions.query.paged/continues-as-the-whole': continuesAsTheWhole([
    'permissions.queryPersons',
    'permissions.querySubordinateRoles',
  ]),
  'permissions.query.paged/fifty-at-most': calls(['permissions.queryPersons'], (call) => ({
    ...call,
    query: { ...call.query, pageSize: Math.min(50, Number(call.query['pageSize'])) },
  })),
} as const satisfies Readonly<Record<string, Mutant>>
