import type { FamilyRow } from './family-row.ts'

/** The families of checks about lists: their pages and their filters. */
export const listFamilies = {
  'paged list': { file: 'families/pages.spec.ts', needs: ['bulk', 'fresh'], assumes: ['paging'] },
  'continuation token of another list': {
    file: 'families/continuation-tokens.spec.ts',
    needs: ['second', 'bulk'],
    assumes: ['paging', 'service-tokens', 'login-sessions', 'session-states'],
  },
  'filtered list in pages': {
    file: 'families/filtered-pages.spec.ts',
    needs: ['bulk', 'fresh'],
    assumes: ['paging', 'session-states', 'query-filters'],
  },
  'asked list': {
    file: 'families/asked-lists.spec.ts',
    needs: ['bulk', 'fresh', 'testdata', 'second', 'clock'],
    assumes: ['paging', 'session-states', 'query-filters', 'service-tokens', 'permission-queries'],
  },
  'list of permissions': { file: 'families/permission-pages.spec.ts', needs: ['second', 'bulk'] },
  'largest page': { file: 'families/largest-pages.spec.ts', needs: ['bulk'] },
  'pair of filters': { file: 'families/permission-filters.spec.ts', needs: ['second', 'bulk'] },
  'pair of filters of entities': {
    file: 'families/entity-filters.spec.ts',
    needs: ['second', 'bulk'],
  },
  'pair of filters of credentials': {
    file: 'families/credential-filters.spec.ts',
    needs: ['second', 'bulk'],
  },
  'dates of a list': {
    file: 'families/many-sessions.spec.ts',
    needs: ['clock'],
    assumes: ['paging', 'query-range'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
