import type { FamilyRow } from './family-row.ts'

/** Families of checks that something is unaffected when time passes or something else beside it changes. */
export const neighbourFamilies = {
  'once more': {
    file: 'families/once-more.spec.ts',
    assumes: ['invoice-status', 'invoice-states', 'code-440'],
  },
  'refused before': { file: 'families/refused-before.spec.ts' },
  'once more later': { file: 'families/once-more.spec.ts', needs: ['clock', 'token'] },
  'months later': {
    file: 'families/months-later.spec.ts',
    needs: ['clock', 'second'],
    assumes: [
      'permission-grants',
      'permission-queries',
      'service-tokens',
      'metadata-answer',
      'session-status',
      'receipt-paths',
    ],
  },
  namesake: { file: 'families/namesakes.spec.ts', assumes: ['login-sessions', 'service-tokens'] },
  'further pages': { file: 'families/page-rates.spec.ts', assumes: ['paging'] },
  neighbour: {
    file: 'families/neighbours.spec.ts',
    assumes: [
      'permission-grants',
      'login-sessions',
      'service-tokens',
      'session-status',
      'session-states',
      'invoice-status',
      'export-body',
      'operation-status',
      'certificate-module',
    ],
  },
  'neighbour of another': {
    file: 'families/neighbours.spec.ts',
    needs: ['testdata', 'second'],
    assumes: [
      'login-sessions',
      'service-tokens',
      'session-status',
      'session-states',
      'export-body',
    ],
  },
  'neighbour of a failure': {
    file: 'families/neighbours.spec.ts',
    assumes: [
      'login-sessions',
      'session-status',
      'session-states',
      'batch-package',
      'invoice-states',
      'export-body',
    ],
  },
  'neighbour of test data': {
    file: 'families/test-data-neighbours.spec.ts',
    needs: ['testdata', 'second'],
    assumes: ['testdata-paths'],
  },
  'done twice': {
    file: 'families/done-twice.spec.ts',
    needs: ['testdata'],
    assumes: ['testdata-paths'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
