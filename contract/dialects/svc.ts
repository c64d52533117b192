import type { Dialect } from '../dialect.ts'

/** The specification's own words: the default. */
export const svc: Dialect = {
  id: 'svc',
  summary: 'the interface as the specification writes it',
  prefix: '/api/v2',
  operations: {},
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
    'sessions.batch.upload-unchecked': {
      absent: 'a part is compared with its description at its upload',
    },
  },
}
