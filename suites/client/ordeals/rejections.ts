import type { Ordeal } from '../ordeal.ts'
import { slowSubmissions } from './shapes.ts'

const failures = { rules: ['client.polling.bounded'] } as const

/** Documents that the service does not issue. */
export const rejections = {
  'rejected-for-schema': {
    ...failures,
    title: 'one of three invoices violates its schema',
    documents: { accepted: 2, invalid: 1 },
  },
  'rejected-for-meaning': {
    ...failures,
    title: 'one of three invoices names a seller that the context may not issue for',
    documents: { accepted: 2, foreign: 1 },
  },
  'duplicate-of-earlier-run': {
    title: 'one of three invoices was issued by an earlier run',
    rules: ['client.duplicates.kept', 'client.duplicates.never-resent'],
    documents: { accepted: 2, duplicates: 1 },
  },
  'form-changes-at-midnight': {
    title: 'the form of the invoices goes out of force at midnight, while the client works',
    rules: ['client.polling.bounded', 'client.faults.survived'],
    documents: { either: 4, schema: 'fa2' },
    service: {
      environment: 'demo',
      formChangesAfterMs: 7000,
      sessionInvoices: 2,
      // The clock of the service is up to a day ahead.
      lifetimes: { 'serviceToken.clockSkew': 2 * 86_400 },
    },
    conditions: () => [slowSubmissions(4, 2500)],
  },
} as const satisfies Record<string, Ordeal>
