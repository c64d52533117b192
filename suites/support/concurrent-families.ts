import type { FamilyRow } from './family-row.ts'

/** Those about calls at the same time. */
export const concurrentFamilies = {
  race: { file: 'sequences/races.spec.ts' },
  'at the same time': { file: 'sequences/together.spec.ts' },
  'changes at the same time': {
    file: 'sequences/together.spec.ts',
    assumes: ['permission-grants', 'permission-queries', 'service-tokens', 'session-status'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>

/** The families of calls at the same time that all have to succeed. */
export type Concurrent = 'at the same time' | 'changes at the same time'
