/** JSON Schema (draft 2020-12) of a consent file: what the operator of a service agreed to. */
export const consentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Consent of an operator to writing calls of assay',
  type: 'object',
  required: ['address', 'contexts', 'operations', 'until'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    address: {
      type: 'string',
      pattern: '^https?://[^/]+',
      description: 'Address of the service with the version prefix, as in the profile.',
    },
    contexts: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', minLength: 1 },
      description: 'Contexts that may write, for example "Nip 5265877635"; "*" for every context.',
    },
    operations: {
      type: 'array',
      minItems: 1,
      items: { type: 'string', minLength: 1 },
      description: 'Operation ids, prefixes such as "sessions.*", "load", or "*".',
    },
    until: { type: 'string', format: 'date', description: 'Last day of the consent, UTC.' },
    by: { type: 'string', description: 'Who agreed.' },
  },
} as const
