import type { FamilyRow } from '../family-row.ts'

/** Families of checks about sequences of calls and calls at the same time. */
export const sequencesFamilies = {
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
  'any sequence': { file: 'sequences/model.spec.ts', together: true },
} as const satisfies Readonly<Record<string, FamilyRow>>

/** The families of calls at the same time that all have to succeed. */
export type Concurrent = 'at the same time' | 'changes at the same time'
