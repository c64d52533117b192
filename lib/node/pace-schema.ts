const count = { type: 'integer', minimum: 1 } as const

const window = {
  type: 'object',
  required: ['perSecond', 'perMinute', 'perHour'],
  properties: { perSecond: count, perMinute: count, perHour: count },
} as const

/** JSON Schema (draft 2020-12) of the pace that `assay limits tune` writes, for our own pacers and any client. */
export const paceSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Pace of a client within the limits of a service',
  type: 'object',
  required: ['target', 'marginMs', 'limits', 'operations', 'batch', 'proof'],
  properties: {
    $schema: { type: 'string' },
    target: { type: 'string', description: 'Address of the service.' },
    written: { type: 'string', format: 'date-time' },
    marginMs: {
      type: 'integer',
      minimum: 0,
      description: 'Milliseconds that a call which waits for a window leaves later than it might.',
    },
    limits: {
      type: 'object',
      additionalProperties: window,
      description: 'Calls permitted in the last second, minute and hour, by rate rule.',
    },
    operations: {
      type: 'object',
      additionalProperties: {
        ...window,
        required: [...window.required, 'rule', 'burst', 'spacingMs'],
        properties: {
          ...window.properties,
          rule: { type: 'string', description: 'Operations of one rule share its limits.' },
          burst: { ...count, description: 'Calls that may be sent without a pause.' },
          spacingMs: {
            type: 'number',
            description:
              'Milliseconds between two calls of a burst that is spread over its second.',
          },
        },
      },
    },
    batch: {
      type: 'object',
      required: ['invoices', 'partBytes'],
      properties: { invoices: count, partBytes: count },
      description: 'Largest package, and largest part of it before encryption.',
    },
    proof: {
      type: 'object',
      required: ['calls', 'limited', 'seconds', 'time'],
      properties: {
        calls: count,
        limited: { const: 0 },
        seconds: count,
        time: { enum: ['virtual', 'real'] },
        rules: { type: 'array', items: { type: 'string' } },
      },
      description: 'The run at this pace in which no call was refused with 429.',
    },
  },
} as const
