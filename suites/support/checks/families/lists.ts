import type { FamilyRow } from '../family-row.ts'

/** Families of checks about the pages of lists. */
export const listsFamilies = {
  'arrival between pages': {
    file: 'families/lists/arrivals.spec.ts',
    needs: ['bulk', 'fresh'],
    assumes: ['paging', 'service-tokens', 'login-sessions', 'further-operations'],
  },
  'pages of each caller': {
    file: 'families/lists/pages-of-each.spec.ts',
    needs: ['second', 'bulk', 'testdata'],
    assumes: ['paging', 'permission-grants'],
  },
  'list filtered by time in pages': {
    file: 'families/lists/filtered-pages.spec.ts',
    needs: ['bulk', 'fresh', 'clock'],
    assumes: ['paging', 'session-states', 'query-filters'],
  },
  'further pages': { file: 'families/lists/page-rates.spec.ts', assumes: ['paging'] },
  'paged list': {
    file: 'families/lists/pages.spec.ts',
    needs: ['bulk', 'fresh'],
    assumes: ['paging'],
  },
  'largest page': { file: 'families/lists/largest-pages.spec.ts', needs: ['bulk'] },
  'largest page of the caller': {
    file: 'families/lists/largest-pages.spec.ts',
    needs: ['bulk', 'fresh'],
    assumes: ['paging', 'session-states', 'service-tokens', 'login-sessions'],
  },
  'continuation token of another list': {
    file: 'families/lists/continuation-tokens.spec.ts',
    needs: ['second', 'bulk'],
    assumes: ['paging', 'service-tokens', 'login-sessions', 'session-states'],
  },
  'filtered list in pages': {
    file: 'families/lists/filtered-pages.spec.ts',
    needs: ['bulk', 'fresh'],
    assumes: ['paging', 'session-states', 'query-filters'],
  },
  'asked list': {
    file: 'families/lists/asked-lists.spec.ts',
    needs: ['bulk', 'fresh', 'testdata', 'second', 'clock'],
    assumes: ['paging', 'session-states', 'query-filters', 'service-tokens', 'permission-queries'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
