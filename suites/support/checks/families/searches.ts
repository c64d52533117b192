import type { FamilyRow } from '../family-row.ts'

/** Families of checks about searches and exports. */
export const searchesFamilies = {
  'same export': {
    file: 'families/searches/same-exports.spec.ts',
    needs: ['second'],
    assumes: ['export-body', 'metadata-answer'],
  },
  'metadata by way': {
    file: 'families/searches/metadata-by-way.spec.ts',
    assumes: ['invoice-status', 'invoice-mode'],
  },
  'range of each party': {
    file: 'families/searches/search-roles.spec.ts',
    needs: ['second', 'bulk'],
    assumes: ['query-range', 'metadata-answer', 'date-types', 'acquisition-date'],
  },
  'small pages': {
    file: 'families/searches/small-pages.spec.ts',
    needs: ['failures'],
    assumes: ['receipt-paths', 'receipt-link', 'export-body', 'metadata-answer', 'paging'],
  },
  'stocked search': {
    file: 'families/searches/searches.spec.ts',
    needs: ['second', 'bulk'],
    assumes: ['query-filters', 'metadata-answer'],
  },
  'parties of an invoice': {
    file: 'families/searches/parties.spec.ts',
    needs: ['bulk'],
    assumes: ['metadata-answer', 'query-filters'],
  },
  'amounts of an invoice': {
    file: 'families/searches/amounts.spec.ts',
    needs: ['bulk'],
    assumes: ['metadata-answer', 'query-filters'],
  },
  'exported metadata': {
    file: 'families/searches/exported-metadata.spec.ts',
    needs: ['testdata', 'fresh'],
    assumes: ['export-body', 'metadata-answer', 'technical-correction', 'attachments'],
  },
  'range of a search': {
    file: 'families/searches/search-ranges.spec.ts',
    needs: ['clock', 'bulk'],
    assumes: ['query-range', 'metadata-answer', 'date-types'],
  },
} as const satisfies Readonly<Record<string, FamilyRow>>
