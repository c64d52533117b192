import type { FamilyRow } from './family-row.ts'

/** Assumed by checks that send invoices in every way and by everyone who may. */
const combined = [
  'invoice-status',
  'invoice-mode',
  'invoice-states',
  'technical-correction',
  'batch-package',
  'permission-grants',
  'service-tokens',
  'metadata-answer',
  'query-filters',
  'date-types',
  'receipt-paths',
  'receipt-link',
  'export-body',
  'invoice-number-lookup',
] as const

/** Families of checks about what is the same, or differs, in the documents of several invoices. */
export const documentFamilies = {
  'size of a document': { file: 'families/sizes.spec.ts' },
  'size of a document without a session': {
    file: 'families/sizes.spec.ts',
    assumes: ['plain-send'],
  },
  'size of a document by a declared way': {
    file: 'families/sizes.spec.ts',
    assumes: ['invoice-mode', 'technical-correction', 'batch-package'],
  },
  'size of a document with consent': {
    file: 'families/sizes.spec.ts',
    needs: ['testdata'],
    assumes: ['attachments'],
  },
  'attachment by a declared way': {
    file: 'families/sizes.spec.ts',
    needs: ['testdata'],
    assumes: ['attachments', 'invoice-mode', 'technical-correction', 'batch-package'],
  },
  'same number': {
    file: 'families/same-numbers.spec.ts',
    needs: ['second'],
    assumes: ['query-filters', 'metadata-answer', 'export-body', 'receipt-paths'],
  },
  'number twice in a session': {
    file: 'families/numbers-in-a-session.spec.ts',
    needs: ['bulk'],
    assumes: ['batch-package', 'invoice-status', 'receipt-paths', 'export-body', 'metadata-answer'],
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
  'declared way': {
    file: 'families/declared-ways.spec.ts',
    needs: ['second'],
    assumes: ['invoice-mode', 'technical-correction', 'batch-package', 'invoice-states'],
  },
  'declared way for years': {
    file: 'families/declared-ways.spec.ts',
    needs: ['clock'],
    assumes: ['invoice-mode', 'technical-correction', 'batch-package', 'invoice-states'],
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
  'rejected document': {
    file: 'families/rejected-documents.spec.ts',
    needs: ['second'],
    assumes: ['invoice-number-lookup', 'metadata-answer', 'export-body', 'receipt-paths'],
  },
  'receipt of a package': {
    file: 'families/package-receipts.spec.ts',
    assumes: ['invoice-status', 'batch-package'],
  },
  'metadata by way': {
    file: 'families/metadata-by-way.spec.ts',
    assumes: ['invoice-status', 'invoice-mode'],
  },
  combination: {
    file: 'families/combinations.spec.ts',
    needs: ['second', 'bulk'],
    assumes: combined,
  },
  'combination over years': {
    file: 'families/refused-combinations.spec.ts',
    needs: ['second', 'bulk', 'clock'],
    assumes: combined,
  },
  'refused combination': {
    file: 'families/refused-combinations.spec.ts',
    needs: ['second', 'bulk'],
    assumes: combined,
  },
  'range of each party': {
    file: 'families/search-roles.spec.ts',
    needs: ['second', 'bulk'],
    assumes: ['query-range', 'metadata-answer', 'date-types', 'acquisition-date'],
  },
  'pages of each caller': {
    file: 'families/pages-of-each.spec.ts',
    needs: ['second', 'bulk', 'testdata'],
    assumes: ['paging', 'permission-grants'],
  },
  'weeks later': {
    file: 'families/weeks-later.spec.ts',
    needs: ['clock'],
    assumes: ['invoice-status', 'export-body', 'query-range'],
  },
  'malformed invoice': { file: 'families/malformed-invoices.spec.ts' },
  'malformed invoice by another way': { file: 'families/verified-ways.spec.ts' },
  'hostile invoice by another way': { file: 'families/verified-ways.spec.ts', needs: ['hostile'] },
  'hostile invoice': { file: 'families/malformed-invoices.spec.ts', needs: ['hostile'] },
  'malformed FA(2) invoice': { file: 'families/malformed-invoices.spec.ts', needs: ['clock'] },
  'hostile FA(2) invoice': {
    file: 'families/malformed-invoices.spec.ts',
    needs: ['hostile', 'clock'],
  },
  'published sample': { file: 'families/published-samples.spec.ts', optional: true },
  'own document': { file: 'families/own-documents.spec.ts', optional: true },
} as const satisfies Readonly<Record<string, FamilyRow>>
