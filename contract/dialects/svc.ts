import type { Dialect } from '../dialect.ts'

const absent = { absent: 'the specification has no such operation' } as const

/** The specification's own words: the default. */
export const svc: Dialect = {
  id: 'svc',
  summary: 'the interface as the specification writes it',
  prefix: '/api/v2',
  operations: {
    'queries.providers': absent,
    'invoices.createCollective': absent,
    'invoices.queryCollectives': absent,
    'invoices.ofCollective': absent,
    'invoices.collectivesOf': absent,
  },
  fields: {},
  values: {},
  moves: {},
  schemas: {},
  words: {},
  refusals: {},
  errorShapes: [
    {
      asked: 'problem-details',
      media: 'application/problem+json',
      template: {
        title: '$title',
        status: '$status',
        instance: '$instance',
        detail: '$description',
        errors: [{ code: '$code', description: '$description', details: '$details' }],
        timestamp: '$timestamp',
        traceId: '$traceId',
      },
    },
    {
      media: 'application/json',
      template: {
        code: '$code',
        description: '$description',
        details: '$details',
        timestamp: '$timestamp',
      },
    },
  ],
  limits: {},
  rates: {},
  rules: {
    'queries.providers.listed': absent,
    'invoices.collective.created': absent,
    'invoices.collective.listed': absent,
    'sessions.online.further-forms': { absent: 'the specification has no form but FA' },
    'invoices.content.further-forms': { absent: 'the specification has no form but FA' },
    'sessions.status.counts-absent': { absent: 'every counter is a number' },
    'sessions.batch.upload-unchecked': {
      absent: 'a part is compared with its description at its upload',
    },
  },
}
