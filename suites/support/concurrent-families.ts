import type { FamilyRow } from './family-row.ts'

/** Families of checks about calls at the same time, and about lists that change while they are read. */
export const concurrentFamilies = {
  race: { file: 'sequences/races.spec.ts' },
  'at the same time': { file: 'sequences/together.spec.ts' },
  'changes at the same time': {
    file: 'sequences/together.spec.ts',
    assumes: ['permission-grants', 'permission-queries', 'service-tokens', 'session-status'],
  },
  'concurrent history': { file: 'sequences/histories.spec.ts' },
  'concurrent history of two contexts': {
    file: 'sequences/histories.spec.ts',
    needs: ['second'],
    assumes: ['code-440', 'invoice-status', 'permission-grants'],
  },
  'answer of its own': {
    file: 'families/own-answers.spec.ts',
    needs: ['failures', 'clock', 'second'],
    assumes: [
      'export-body',
      'invoice-status',
      'operation-status',
      'permission-grants',
      'permission-queries',
      'service-tokens',
      'session-status',
    ],
  },
  'arrival between pages': {
    file: 'families/arrivals.spec.ts',
    needs: ['bulk', 'fresh'],
    assumes: ['paging', 'service-tokens', 'login-sessions', 'further-operations'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>

/** The families of calls at the same time that all have to succeed. */
export type Concurrent = 'at the same time' | 'changes at the same time'
