import type { FamilyRow } from './family-row.ts'

/** Families of checks about what is the same, or differs, in the documents of several invoices. */
export const documentFamilies = {
  'same number': {
    file: 'families/same-numbers.spec.ts',
    needs: ['second'],
    assumes: ['query-filters', 'metadata-answer', 'export-body', 'receipt-paths'],
  },
  'place in a package': {
    file: 'families/package-places.spec.ts',
    assumes: ['batch-package', 'export-body', 'receipt-paths'],
  },
  'date of issue': {
    file: 'families/issue-dates.spec.ts',
    assumes: ['metadata-answer', 'query-filters', 'query-range', 'receipt-paths', 'export-body'],
  },
  'document without a signature': {
    file: 'families/unsigned.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'rejected neighbour': {
    file: 'families/rejected-neighbours.spec.ts',
    needs: ['second'],
    assumes: ['invoice-states', 'invoice-status', 'receipt-paths', 'session-status'],
  },
  'same export': {
    file: 'families/same-exports.spec.ts',
    needs: ['second'],
    assumes: ['export-body', 'metadata-answer'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
