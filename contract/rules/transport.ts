import type { Rule } from '../types.ts'

/** Transport and versions. */
export const transport = {
  'transport.path-prefix': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'Operations answer below the version prefix; the two limits resources answer at the origin as well.',
    clause: 'Endpoints',
    variants: {
      prefixed: 'operations below the prefix',
      'limits at the origin': 'the limits resources without it',
    },
  },
  'transport.media-type': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'A body goes with a Content-Type that fits it, and one of a foreign type is turned down as a mistake of the caller.',
    clause: 'What the service does',
    variants: {
      answer: 'answers name the type of their body',
      'foreign request type': 'a body of a foreign type is refused',
      'missing type': 'a body without a type is refused or read, never a fault',
    },
  },
  'transport.unknown-is-404': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence: 'What does not exist, be it a path or a resource, is answered by 404.',
    clause: 'Errors',
    variants: { path: 'an unknown path', resource: 'an unknown resource on a known path' },
  },
  'transport.wrong-method': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'derived',
    sentence:
      'A method that a path does not have is refused as a mistake of the caller, at best by 405 naming the methods it has.',
    clause: 'Endpoints',
  },
  'transport.health': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'The connectivity check succeeds without credentials.',
    clause: 'Endpoints > Invoices, operations and others',
    rests: ['health-public'],
  },
  'transport.unknown-version': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence: 'A major version that does not exist is not found, and v2 goes on working beside it.',
    clause: 'Versioning',
  },
  'transport.malformed-body': {
    level: 'MUST',
    binds: 'S',
    origin: 'derived',
    sentence:
      'A body that cannot be read, or whose fields are missing, mistyped or over-long, is refused with code and description, and leaves nothing behind.',
    clause: 'Errors',
    variants: {
      json: 'text that is no JSON',
      xml: 'text that is no XML',
      type: 'a field of the wrong type',
      missing: 'a required field left out',
      length: 'a value that is too long',
      'nothing created': 'no trace of the refused request',
    },
  },
  'transport.trailing-slash': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'stated',
    sentence: 'Submitting an invoice works the same whether the path ends in a slash or not.',
    clause: 'Endpoints > Sessions',
  },
  'transport.export-alias': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The singular and the plural spelling of the export path lead to one and the same resource.',
    clause: 'Endpoints > Invoices, operations and others',
    variants: { create: 'creation under both spellings', status: 'status under both spellings' },
  },
  'transport.openapi-agrees': {
    level: 'MUST',
    binds: 'S',
    origin: 'stated',
    sentence:
      'The service publishes an OpenAPI description in JSON that is true of its own answers.',
    clause: 'Versioning',
    touches: ['openapi-address'],
    variants: {
      served: 'the description is there',
      operations: 'it lists every operation',
      answers: 'answers satisfy it',
    },
  },
  'transport.error-shape': {
    level: 'SHOULD',
    binds: 'S',
    origin: 'derived',
    sentence:
      'Refusals look alike everywhere and reveal nothing of the inside: no stack, no file path.',
    clause: 'Errors',
    touches: ['error-body'],
    variants: {
      shape: 'one form with code, description, details',
      'no internals': 'nothing of the inside shows',
    },
  },
  'transport.document-hash': {
    level: 'MUST',
    binds: 'S',
    origin: 'assumed',
    sentence: 'A document that is handed out comes with the SHA-256 of its bytes in a header.',
    clause: 'Endpoints > Invoices, operations and others',
    rests: ['document-hash'],
    variants: {
      invoice: 'an invoice',
      receipt: 'a receipt, whichever way it is asked for',
      export: 'a part of an export',
    },
  },
} as const satisfies Record<string, Rule>
