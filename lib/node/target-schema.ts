import { environments } from '../../contract/environments.ts'
import { capabilities } from '../../contract/types.ts'

/** JSON Schema (draft 2020-12) of a target profile. Explained in docs/guides/target-profiles.md. */

const secret = {
  description: 'A secret: the name of an environment variable, or the path of a file.',
  anyOf: [
    { type: 'string', minLength: 1 },
    {
      type: 'object',
      required: ['env'],
      properties: { env: { type: 'string', minLength: 1 } },
      additionalProperties: false,
    },
    {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', minLength: 1 } },
      additionalProperties: false,
    },
  ],
} as const

const properties = {
  name: { type: 'string', description: 'How reports name the target.' },
  seed: { type: 'integer', description: 'Seed of the reference that printed the profile.' },
  url: {
    type: 'string',
    pattern: '^https?://[^/]+',
    description: 'Address with the version prefix, for example https://host/api/v2.',
  },
  dialect: { type: 'string', description: 'svc when absent.' },
  environment: { enum: Object.keys(environments), description: 'test when absent.' },
  management: {
    type: 'string',
    pattern: '^https?://[^/]+',
    description: 'Management port of a reference: the clock can be moved.',
  },
  contexts: {
    type: 'array',
    description: 'The pool of contexts that the checks may work in.',
    items: {
      type: 'object',
      required: ['kind', 'value'],
      additionalProperties: false,
      dependentRequired: { certificate: ['key'], key: ['certificate'] },
      dependentSchemas: {
        pkcs12: { type: 'object', properties: { certificate: false, key: false } },
      },
      properties: {
        kind: { enum: ['Nip', 'InternalId', 'NipVatUe'] },
        value: { type: 'string', minLength: 10, maxLength: 25 },
        token: secret,
        certificate: { ...secret, description: 'A PEM certificate: a path, a file or a variable.' },
        key: { ...secret, description: 'Its private key, PEM: a path, a file or a variable.' },
        pkcs12: {
          ...secret,
          description: 'Certificate and key as PKCS#12: a path, a file, or a variable in Base64.',
        },
        passphrase: { ...secret, description: 'Passphrase of the key or of the PKCS#12 file.' },
        seal: {
          const: 'self-signed',
          description: 'Log in with a self-signed seal of this NIP, where the target accepts it.',
        },
      },
    },
  },
  capabilities: {
    type: 'array',
    items: { enum: Object.keys(capabilities) },
    description: 'What the target offers or consents to.',
  },
  assumptions: {
    description: 'Gap -> whether its assumption holds; true for all of them.',
    anyOf: [{ const: true }, { type: 'object' }],
  },
  pid: { type: 'integer', description: 'Process of the reference that wrote the profile.' },
  rateFactor: {
    type: 'number',
    exclusiveMinimum: 0,
    description: "How often production's rate limits the target allows; 1 when absent.",
  },
  addresses: {
    type: 'array',
    items: { type: 'string' },
    description: 'Source addresses of this machine that the checks may call from.',
  },
  ca: {
    ...secret,
    description: 'PEM certificates of further authorities for TLS: a path, a file or a variable.',
  },
  proxy: {
    type: 'string',
    pattern: '^https?://[^/]+',
    description: 'HTTP proxy; HTTPS_PROXY, HTTP_PROXY and NO_PROXY when absent.',
  },
  headers: {
    type: 'object',
    additionalProperties: secret,
    description: 'Headers sent with every request.',
  },
  timeoutMs: {
    type: 'integer',
    minimum: 100,
    description: 'Milliseconds for a whole exchange; 30000 when absent.',
  },
  patienceMs: {
    type: 'integer',
    minimum: 0,
    description:
      'Milliseconds that a run may spend in all in waits longer than 15 s for room within the rate limits; 0 when absent.',
  },
  pacingShare: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1,
    description: 'Part of each rate limit that a run may use; 1 when absent.',
  },
  baseline: { type: 'string', description: 'Path of the baseline of known failures.' },
  consent: {
    description:
      'Path of the consent file of the operator. Without it a production service and every sibling are read only.',
    type: 'string',
    minLength: 1,
  },
} as const

/** The environment of a sibling is the key that it stands under. */
const siblingIn = (environment: string) => ({
  type: 'object',
  $ref: '#/$defs/sibling',
  properties: { environment: { const: environment } },
})

export const targetSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Target profile of assay',
  type: 'object',
  required: ['url'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    ...properties,
    elsewhere: {
      type: 'object',
      description: 'The same service in other environments: environment -> profile.',
      additionalProperties: false,
      properties: Object.fromEntries(Object.keys(environments).map((id) => [id, siblingIn(id)])),
    },
  },
  $defs: {
    sibling: { type: 'object', required: ['url'], additionalProperties: false, properties },
  },
} as const
