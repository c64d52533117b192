import type { Rule } from '../types.ts'

/** Transport and versions. */
export const transport = {
  'transport.path-prefix': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service serves every operation below the version prefix, and the two limits resources also at the origin.',
    clause: 'Endpoints',
    touches: ['alias-counting'],
    variants: {
      'below the prefix': 'every operation answers below the prefix',
      'at the origin': 'the limits resources answer without the prefix',
    },
  },
  'transport.media-type': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service labels each body with its Content-Type and rejects a request body of another media type with a 4xx status.',
    clause: 'What the service does',
    variants: {
      'foreign JSON': 'JSON sent under another media type',
      'foreign XML': 'XML sent under another media type',
      charset: 'a media type that names UTF-8 is accepted',
      'no body': 'a request without a body is accepted, whatever its Content-Type is',
      responses: 'each response names the media type of its operation',
      documents: 'each document that is returned names the media type of its operation',
      refusals: 'each refusal names the media type of errors',
    },
  },
  'transport.answers.schema': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'The body of a successful response conforms to the schema of its operation.',
    clause: 'Endpoints',
  },
  'transport.answers.no-server-error': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'The service answers no request with a server error (5xx).',
    clause: 'Errors',
  },
  'transport.unknown-is-404': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The service answers an unknown path or an unknown resource with 404.',
    clause: 'Errors',
    variants: {
      path: 'an unknown path',
      resource: 'an unknown resource on a known path',
    },
  },
  'transport.wrong-method': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service rejects a method that a path does not support with a 4xx status, preferably 405 with an Allow header.',
    clause: 'Endpoints',
    variants: {
      unsupported: 'a method that the path does not support',
      'on what exists': 'as above, on the paths of resources that exist',
    },
  },
  'transport.health': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The health check succeeds without credentials.',
    clause: 'Endpoints > Invoices, operations and others',
    assumes: ['health-public'],
    variants: {
      'in a row': 'thirty times in a row',
      'unknown parameter': 'with a parameter that it does not have, no token is asked for',
      'after a rotation': { description: 'while keys are rotated', needs: ['rotate', 'clock'] },
      'while work is pending': {
        description: 'while work is pending, and after it has failed',
        needs: ['failures', 'clock'],
      },
      'during a block': { description: 'while the address is blocked', needs: ['provoke'] },
      'in production': {
        description: 'in production, before and after it offers its certificates',
        needs: ['env', 'clock'],
      },
    },
  },
  'transport.unknown-version': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service answers a major version that does not exist with 404, and continues to serve v2.',
    clause: 'Versioning',
    variants: {
      'each operation': 'each operation of a version that does not exist',
    },
  },
  'transport.malformed-body': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service rejects an unreadable body, or one with missing, mistyped or over-long fields, with a code and a description, and stores nothing.',
    clause: 'Errors',
    variants: {
      'truncated JSON': 'JSON that ends early',
      'not JSON': 'text that is not JSON',
      'JSON null': 'JSON null instead of an object',
      'JSON array': 'an array instead of an object',
      'JSON text': 'a JSON text instead of an object',
      'JSON number': 'a number instead of an object',
      'empty body': 'no bytes at all',
      'JSON not in UTF-8': 'bytes that are not valid UTF-8',
      'truncated XML': 'XML that ends early',
      'wrong type': 'a field of the wrong type',
      'missing field': 'a required field is missing',
      'null field': 'null for a required field',
      'array for object': 'an array where an object is required',
      'too long': 'a value that exceeds its maximum length',
      'very large body': 'a body of several megabytes where a small one suffices',
    },
  },
  'transport.malformed-parameter': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service rejects a malformed parameter of the path, the query or a header with a 4xx status, and does nothing.',
    clause: 'Errors',
    variants: {
      path: 'a reference that has no such form',
      query: 'a value of another type, or out of range',
      'continuation token': {
        description: 'a continuation token that the service did not issue for the list',
        assumes: ['paging'],
      },
    },
  },
  'transport.trailing-slash': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service accepts an invoice submission with and without a trailing slash in the path.',
    clause: 'Endpoints > Sessions',
    touches: ['alias-counting'],
    variants: {
      'the largest invoice': 'an invoice of the largest size is accepted by both paths',
      rejections: 'what is rejected by one path is rejected by the other',
    },
  },
  'transport.export-alias': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'The singular and the plural export path address the same resource.',
    clause: 'Endpoints > Invoices, operations and others',
    touches: ['alias-counting'],
    variants: {
      'over time': { description: 'both show the same state', needs: ['clock'] },
      filters: {
        description: 'every filter holds, whichever path creates the export',
        assumes: ['export-body', 'query-filters'],
      },
    },
  },
  'transport.openapi-agrees': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service publishes an OpenAPI description in JSON that matches its own responses.',
    clause: 'Versioning',
    touches: ['openapi-address', 'description-page', 'null-fields'],
    variants: {
      served: 'the description is available',
      operations: 'it lists every operation',
      responses: 'responses conform to it',
      'no longer kept': {
        description: 'so do those about what is no longer kept',
        needs: ['clock'],
      },
    },
  },
  'transport.error-shape': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'derived',
    sentence:
      'The service reports every error in the same format and never exposes internals such as stack traces or file paths.',
    clause: 'Errors',
    touches: ['error-body'],
    variants: {
      '400': 'a malformed request',
      '401': 'a missing token',
      '403': { description: 'an expired access token', needs: ['clock'] },
      'missing permission': '403 as well',
      '404': 'an unknown resource',
      early: 'a wrong method, media type, size or address',
      'quoted messages': 'refusals of documents and bodies that a parser cannot read',
      '429': { description: 'an exceeded rate limit', needs: ['provoke'] },
      'assumed form': {
        description: 'every field of the format is present, and the requested media type is used',
        assumes: ['error-body'],
      },
      'assumed form of 403': {
        description: 'as above, for an expired access token',
        needs: ['clock'],
        assumes: ['error-body'],
      },
      'assumed form of 429': {
        description: 'as above, for an exceeded rate limit',
        needs: ['provoke'],
        assumes: ['error-body'],
      },
    },
  },
  'transport.document-hash': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The service sends the SHA-256 of each returned document in a header.',
    clause: 'Endpoints > Invoices, operations and others',
    assumes: ['document-hash'],
    variants: {
      invoice: 'an invoice',
      receipt: 'a receipt, by every path that returns one',
      export: 'a part of an export',
    },
  },
} as const satisfies Record<string, Rule>
