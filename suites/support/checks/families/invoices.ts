import type { FamilyRow } from '../family-row.ts'

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

/** Assumed by checks that read the receipts of an invoice by each way. */
const ofReceipts = ['invoice-status', 'receipt-paths', 'receipt-signature'] as const

/** Families of checks about single invoices: their documents, how they are sent, and what becomes of them. */
export const invoicesFamilies = {
  'size of a document': { file: 'families/invoices/sizes.spec.ts' },
  'size of a document without a session': {
    file: 'families/invoices/sizes.spec.ts',
    assumes: ['plain-send'],
  },
  'size of a document by a declared way': {
    file: 'families/invoices/sizes.spec.ts',
    assumes: ['invoice-mode', 'technical-correction', 'batch-package'],
  },
  'size of a document with consent': {
    file: 'families/invoices/sizes.spec.ts',
    needs: ['testdata'],
    assumes: ['attachments'],
  },
  'attachment by a declared way': {
    file: 'families/invoices/sizes.spec.ts',
    needs: ['testdata'],
    assumes: ['attachments', 'invoice-mode', 'technical-correction', 'batch-package'],
  },
  'same number': {
    file: 'families/invoices/same-numbers.spec.ts',
    needs: ['second'],
    assumes: ['query-filters', 'metadata-answer', 'export-body', 'receipt-paths'],
  },
  'number twice in a session': {
    file: 'families/invoices/numbers-in-a-session.spec.ts',
    needs: ['bulk'],
    assumes: ['batch-package', 'invoice-status', 'receipt-paths', 'export-body', 'metadata-answer'],
  },
  'date of issue': {
    file: 'families/invoices/issue-dates.spec.ts',
    assumes: ['metadata-answer', 'query-filters', 'query-range', 'receipt-paths', 'export-body'],
  },
  'document without a signature': {
    file: 'families/invoices/unsigned.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'declared way': {
    file: 'families/invoices/declared-ways.spec.ts',
    needs: ['second'],
    assumes: ['invoice-mode', 'technical-correction', 'batch-package', 'invoice-states'],
  },
  'declared way for years': {
    file: 'families/invoices/declared-ways.spec.ts',
    needs: ['clock'],
    assumes: ['invoice-mode', 'technical-correction', 'batch-package', 'invoice-states'],
  },
  'rejected neighbour': {
    file: 'families/invoices/rejected-neighbours.spec.ts',
    needs: ['second'],
    assumes: ['invoice-states', 'invoice-status', 'receipt-paths', 'session-status'],
  },
  'rejected document': {
    file: 'families/invoices/rejected-documents.spec.ts',
    needs: ['second'],
    assumes: ['invoice-number-lookup', 'metadata-answer', 'export-body', 'receipt-paths'],
  },
  combination: {
    file: 'families/invoices/combinations.spec.ts',
    needs: ['second', 'bulk'],
    assumes: combined,
  },
  'combination over years': {
    file: 'families/invoices/refused-combinations.spec.ts',
    needs: ['second', 'bulk', 'clock'],
    assumes: combined,
  },
  'refused combination': {
    file: 'families/invoices/refused-combinations.spec.ts',
    needs: ['second', 'bulk'],
    assumes: combined,
  },
  'weeks later': {
    file: 'families/invoices/weeks-later.spec.ts',
    needs: ['clock'],
    assumes: ['invoice-status', 'export-body', 'query-range'],
  },
  'malformed invoice': { file: 'families/invoices/malformed-invoices.spec.ts' },
  'malformed invoice by another way': { file: 'families/invoices/verified-ways.spec.ts' },
  'hostile invoice by another way': {
    file: 'families/invoices/verified-ways.spec.ts',
    needs: ['hostile'],
  },
  'hostile invoice': { file: 'families/invoices/malformed-invoices.spec.ts', needs: ['hostile'] },
  'malformed FA(2) invoice': {
    file: 'families/invoices/malformed-invoices.spec.ts',
    needs: ['clock'],
  },
  'hostile FA(2) invoice': {
    file: 'families/invoices/malformed-invoices.spec.ts',
    needs: ['hostile', 'clock'],
  },
  'published sample': { file: 'families/invoices/published-samples.spec.ts', optional: true },
  'own document': { file: 'families/invoices/own-documents.spec.ts', optional: true },
  'way of sending': {
    file: 'families/invoices/ways-of-sending.spec.ts',
    needs: ['second'],
    assumes: ['invoice-status', 'metadata-answer', 'receipt-paths', 'receipt-link'],
  },
  'equal invoices of two schemas': {
    file: 'families/invoices/duplicates.spec.ts',
    needs: ['clock'],
    assumes: ['code-440', 'invoice-status'],
  },
  'tie to a seller': {
    file: 'families/invoices/seller-ties.spec.ts',
    needs: ['second'],
    assumes: ['permission-grants'],
  },
  'tie of an entity to a seller': {
    file: 'families/invoices/seller-ties.spec.ts',
    needs: ['second', 'testdata'],
    assumes: ['permission-grants'],
  },
  'awkward document': { file: 'families/invoices/awkward-documents.spec.ts' },
  'sent invoice': {
    file: 'families/invoices/sent-invoices.spec.ts',
    assumes: ['invoice-status', 'session-status'],
  },
  'receipt of an invoice': { file: 'families/invoices/receipt-ways.spec.ts', assumes: ofReceipts },
  'receipt after its links': {
    file: 'families/invoices/receipt-ways.spec.ts',
    needs: ['clock'],
    assumes: ofReceipts,
  },
  'generated document': {
    file: 'families/invoices/generated-documents.spec.ts',
    needs: ['testdata'],
  },
  'generated FA(2) document': {
    file: 'families/invoices/generated-documents.spec.ts',
    needs: ['clock'],
  },
  'declared of a submission': { file: 'families/invoices/submissions.spec.ts' },
  'refused attachment': {
    file: 'families/invoices/duplicates.spec.ts',
    needs: ['testdata'],
    assumes: ['invoice-status'],
  },
  'equal invoices': {
    file: 'families/invoices/duplicates.spec.ts',
    needs: ['second'],
    assumes: ['code-440', 'invoice-status'],
  },
  'reader of an invoice': {
    file: 'families/invoices/invoice-readers.spec.ts',
    needs: ['second'],
    assumes: ['metadata-answer', 'receipt-link'],
  },
  'invoice sent for its seller': {
    file: 'families/invoices/self-invoicing.spec.ts',
    needs: ['second'],
    assumes: ['metadata-answer', 'receipt-link', 'export-body'],
  },
  midnight: {
    file: 'families/invoices/days.spec.ts',
    needs: ['clock'],
    assumes: ['invoice-mode', 'invoice-states', 'metadata-answer'],
  },
  'kinds of invoices': {
    file: 'families/invoices/invoice-kinds.spec.ts',
    needs: ['bulk'],
    assumes: ['metadata-answer', 'query-filters'],
  },
  'invoices with attachments': {
    file: 'families/invoices/invoice-kinds.spec.ts',
    needs: ['testdata', 'fresh'],
    assumes: ['attachments', 'query-filters', 'metadata-answer'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
