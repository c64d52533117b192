import type { FamilyRow } from '../family-row.ts'

/** Families of checks about packages: their archives, parts and documents. */
export const packagesFamilies = {
  'place in a package': {
    file: 'families/packages/package-places.spec.ts',
    assumes: ['batch-package', 'export-body', 'receipt-paths'],
  },
  'receipt of a package': {
    file: 'families/packages/package-receipts.spec.ts',
    assumes: ['invoice-status', 'batch-package'],
  },
  'error in a package': {
    file: 'families/packages/errors-in-packages.spec.ts',
    assumes: ['batch-package', 'invoice-states', 'session-states'],
  },
  'dates of a package': {
    file: 'families/packages/package-dates.spec.ts',
    needs: ['bulk'],
    assumes: ['batch-package', 'session-status', 'session-states'],
  },
  'package in parts': {
    file: 'families/packages/package-parts.spec.ts',
    assumes: ['batch-package', 'session-status'],
  },
  'package that fails': {
    file: 'families/packages/failing-packages.spec.ts',
    assumes: ['batch-package', 'session-status', 'session-states'],
  },
  'description of a package': {
    file: 'families/packages/package-descriptions.spec.ts',
    assumes: ['batch-package'],
  },
  'refused package': {
    file: 'families/packages/refused-packages.spec.ts',
    needs: ['testdata'],
    assumes: ['batch-package', 'session-status', 'unsafe-entries'],
  },
  'period of an upload': {
    file: 'families/packages/package-parts.spec.ts',
    needs: ['clock'],
    assumes: ['batch-package'],
  },
  'hostile archive': {
    file: 'families/packages/archives.spec.ts',
    needs: ['hostile'],
    assumes: ['batch-package', 'unsafe-entries'],
  },
  'form of an archive': { file: 'families/packages/archives.spec.ts', assumes: ['batch-package'] },
} as const satisfies Readonly<Record<string, FamilyRow>>
