import type { Rule } from '../types.ts'

/** Queries. */
export const queries = {
  'queries.metadata.filters': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'Metadata can be searched by role and by date range, given InvoiceRead.',
    clause: 'Resources and their fields > Query metadata request',
    touches: ['metadata-answer'],
    variants: { subject: 'by role', range: 'by dates', permission: 'not without InvoiceRead' },
  },
  'queries.metadata.described': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'What a search says of an invoice is what stands in its document.',
    clause: 'Endpoints > Invoices, operations and others',
    needs: ['second'],
    rests: ['metadata-answer'],
  },
  'queries.metadata.subject-type': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The role asked for is that of the caller: it finds the invoices where the caller has it, and no others.',
    clause: 'Resources and their fields > Query metadata request',
    needs: ['second'],
    touches: ['metadata-answer'],
    variants: {
      subject1: 'as issuer',
      subject2: 'as buyer',
      subject3: 'as third party',
      subjectAuthorized: 'as authorized party',
    },
  },
  'queries.metadata.date-type': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The range applies to the date that the query names.',
    clause: 'Resources and their fields > Query metadata request',
    touches: ['acquisition-date'],
    variants: { issue: 'the date of issue', acquisition: 'the date of acquisition' },
  },
  'queries.metadata.date-bounds': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence:
      'Bounds are ISO 8601 in any offset; impossible, reversed and too wide ranges are refused.',
    clause: 'Resources and their fields > Query metadata request',
    rests: ['query-range'],
    variants: {
      offset: 'the same moment in another offset',
      bounds: 'on the bound itself',
      'bad date': 'no date',
      reversed: 'end before start',
      'too wide': 'wider than allowed',
    },
  },
  'queries.metadata.paging': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'Page by page every match turns up once, even as new ones come in.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['metadata-answer'],
    variants: { static: 'nothing changes', growing: 'invoices arrive meanwhile' },
  },
  'queries.general.date-range': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The general query finds what lies within a range of dates.',
    clause: 'Endpoints > Invoices, operations and others',
    rests: ['general-query'],
  },
} as const satisfies Record<string, Rule>
