import type { FamilyRow } from '../family-row.ts'

/** Assumed by checks that grant permissions and look for them in the lists. */
const listed = ['permission-grants', 'permission-queries'] as const

/** Families of checks about permissions: grants, what they open, their lists and their end. */
export const permissionsFamilies = {
  'insufficient permissions': {
    file: 'families/permissions/insufficient-permissions.spec.ts',
    needs: ['testdata'],
    assumes: ['permission-grants', 'service-tokens'],
  },
  'sufficient permissions elsewhere': {
    file: 'families/permissions/insufficient-permissions.spec.ts',
    needs: ['testdata', 'second', 'bulk'],
    assumes: ['permission-grants', 'service-tokens'],
  },
  'list of permissions': {
    file: 'families/permissions/permission-pages.spec.ts',
    needs: ['second', 'bulk'],
  },
  'pair of filters': {
    file: 'families/permissions/permission-filters.spec.ts',
    needs: ['second', 'bulk'],
  },
  'pair of filters of entities': {
    file: 'families/permissions/entity-filters.spec.ts',
    needs: ['second', 'bulk'],
  },
  'way to hold permissions': {
    file: 'families/permissions/held-permissions.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'revoked permission': {
    file: 'families/permissions/revocations.spec.ts',
    assumes: ['permission-grants', 'permission-queries'],
  },
  'kind of revocation': {
    file: 'families/permissions/revocations.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'refused grant': { file: 'families/permissions/refused-grants.spec.ts', needs: ['testdata'] },
  'passed on': {
    file: 'families/permissions/passed-on.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'reach of a delegation': {
    file: 'families/permissions/delegations.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'held in two contexts': {
    file: 'families/permissions/two-contexts.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'granted by another manager': {
    file: 'families/permissions/other-managers.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  appointment: {
    file: 'families/permissions/appointments.spec.ts',
    assumes: ['permission-grants'],
  },
  'held twice': {
    file: 'families/permissions/held-twice.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'held by test data too': {
    file: 'families/permissions/held-twice.spec.ts',
    needs: ['second', 'testdata'],
    assumes: listed,
  },
  'list of what is held': {
    file: 'families/permissions/held-permission-lists.spec.ts',
    assumes: ['permission-grants'],
  },
  'row of permissions': { file: 'families/permissions/permission-rows.spec.ts' },
  'row of permissions of entities': {
    file: 'families/permissions/entity-permission-rows.spec.ts',
    needs: ['second'],
    assumes: listed,
  },
  'row of own permissions': { file: 'families/permissions/own-permission-rows.spec.ts' },
} as const satisfies Readonly<Record<string, FamilyRow>>
