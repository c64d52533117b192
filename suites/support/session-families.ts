import type { FamilyRow } from './family-row.ts'

/** Families of checks about sessions and packages as a whole. */
export const sessionFamilies = {
  'pending session': {
    file: 'families/pending-sessions.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['session-status', 'session-states', 'invoice-states', 'paging'],
  },
  'pending work': {
    file: 'families/pending-work.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['invoice-status', 'receipt-paths', 'export-body', 'export-lifetime'],
  },
  'error in a package': {
    file: 'families/errors-in-packages.spec.ts',
    assumes: ['batch-package', 'invoice-states', 'session-states'],
  },
  'reason of a failure': {
    file: 'families/reasons.spec.ts',
    assumes: ['batch-package', 'invoice-status', 'invoice-states', 'session-status', 'code-440'],
  },
  'pending together': {
    file: 'families/pending-together.spec.ts',
    needs: ['failures', 'clock'],
    assumes: ['invoice-status', 'session-status', 'export-body', 'permission-queries'],
  },
  'small pages': {
    file: 'families/small-pages.spec.ts',
    needs: ['failures'],
    assumes: ['receipt-paths', 'receipt-link', 'export-body', 'metadata-answer', 'paging'],
  },
  'ended session': { file: 'families/ended-sessions.spec.ts', assumes: ['session-states'] },
  'refused calls': {
    file: 'families/refused-changes.spec.ts',
    needs: ['clock'],
    assumes: ['session-states', 'session-status', 'session-kinds', 'batch-package'],
  },
  'session ended by its time': {
    file: 'families/ends-by-time.spec.ts',
    needs: ['clock'],
    assumes: ['session-states', 'session-status', 'receipt-paths'],
  },
  'way of sending': {
    file: 'families/ways-of-sending.spec.ts',
    needs: ['second'],
    assumes: ['invoice-status', 'metadata-answer', 'receipt-paths', 'receipt-link'],
  },
  'ended package': {
    file: 'families/ended-sessions.spec.ts',
    needs: ['failures'],
    assumes: ['session-states', 'batch-package'],
  },
  'dates of a package': {
    file: 'families/package-dates.spec.ts',
    needs: ['bulk'],
    assumes: ['batch-package', 'session-status', 'session-states'],
  },
  'package in parts': {
    file: 'families/package-parts.spec.ts',
    assumes: ['batch-package', 'session-status'],
  },
  'package that fails': {
    file: 'families/failing-packages.spec.ts',
    assumes: ['batch-package', 'session-status', 'session-states'],
  },
  'description of a package': {
    file: 'families/package-descriptions.spec.ts',
    assumes: ['batch-package'],
  },
  'refused package': {
    file: 'families/refused-packages.spec.ts',
    needs: ['testdata'],
    assumes: ['batch-package', 'session-status', 'unsafe-entries'],
  },
  'final state': {
    file: 'families/final-states.spec.ts',
    needs: ['clock'],
    assumes: ['batch-package', 'session-status', 'session-states', 'session-kinds'],
  },
  'period of an upload': {
    file: 'families/package-parts.spec.ts',
    needs: ['clock'],
    assumes: ['batch-package'],
  },
  'hostile archive': {
    file: 'families/archives.spec.ts',
    needs: ['hostile'],
    assumes: ['batch-package', 'unsafe-entries'],
  },
  'form of an archive': { file: 'families/archives.spec.ts', assumes: ['batch-package'] },
  'list filtered by time in pages': {
    file: 'families/filtered-pages.spec.ts',
    needs: ['bulk', 'fresh', 'clock'],
    assumes: ['paging', 'session-states', 'query-filters'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
