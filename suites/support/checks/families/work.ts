import type { FamilyRow } from '../family-row.ts'

/** Families of checks about asynchronous work: its states and its end. */
export const workFamilies = {
  'pending work': {
    file: 'families/work/pending-work.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['invoice-status', 'receipt-paths', 'export-body', 'export-lifetime'],
  },
  'pending together': {
    file: 'families/work/pending-together.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['invoice-status', 'session-status', 'export-body', 'permission-queries'],
  },
  'state of failure': {
    file: 'families/work/failure-states.spec.ts',
    needs: ['failures', 'clock'],
  },
  'started work': { file: 'families/work/started-work.spec.ts' },
  work: { file: 'families/work/work-ends.spec.ts', needs: ['clock'] },
  'work by a service token': { file: 'families/work/work-ends.spec.ts', needs: ['clock', 'token'] },
} as const satisfies Readonly<Record<string, FamilyRow>>
