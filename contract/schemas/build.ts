import type { Json, JsonSchema } from '../types.ts'

/**
 * The few words in which the schemas are written. Keywords used anywhere in the contract: type, properties, required,
 * items, enum, const, anyOf, $ref (by bare id), format, pattern, minLength, maxLength, minimum, maximum, minItems,
 * maxItems, uniqueItems, default, description, examples. No schema forbids fields that it does not name.
 */

/** Another schema of the table, by its id. */
export const ref = (id: string): JsonSchema => ({ $ref: id })

/** An object with fields that must be there, fields that may, and one example that validates. */
export const object = (
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>>,
  example: Json,
): JsonSchema => ({
  type: 'object',
  ...(Object.keys(required).length > 0 ? { required: Object.keys(required) } : {}),
  properties: { ...required, ...optional },
  examples: [example],
})

/** A nested object that has no id of its own. */
export const inline = (
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema => ({
  type: 'object',
  ...(Object.keys(required).length > 0 ? { required: Object.keys(required) } : {}),
  properties: { ...required, ...optional },
})

export const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'array',
  items,
  ...more,
})

/** The same, or null where there is no value. */
export const maybe = (schema: JsonSchema): JsonSchema => {
  if (typeof schema['type'] !== 'string' || 'enum' in schema) {
    return { anyOf: [schema, { type: 'null' }] }
  }
  return { ...schema, type: [schema['type'], 'null'] }
}

export const oneOf = (values: readonly string[], example = values[0]): JsonSchema => ({
  type: 'string',
  enum: values,
  examples: [example],
})

/** Text whose length, in code points, lies within bounds. */
export const text = (minLength: number, maxLength: number): JsonSchema => ({
  type: 'string',
  minLength,
  maxLength,
})

/** An identifier and its kind. */
export const identifier = (
  kinds: readonly string[],
  minLength: number,
  maxLength: number,
  example: { readonly type: string; readonly value: string },
): JsonSchema =>
  object({ type: { type: 'string', enum: kinds }, value: text(minLength, maxLength) }, {}, example)

export const string: JsonSchema = { type: 'string' }
export const nonEmpty: JsonSchema = { type: 'string', minLength: 1 }
export const boolean: JsonSchema = { type: 'boolean' }
export const number: JsonSchema = { type: 'number' }
export const integer: JsonSchema = { type: 'integer' }
export const count: JsonSchema = { type: 'integer', minimum: 0 }
export const ordinal: JsonSchema = { type: 'integer', minimum: 1 }
export const bytes: JsonSchema = { type: 'integer', minimum: 1 }
export const instant: JsonSchema = { type: 'string', format: 'date-time' }
export const day: JsonSchema = { type: 'string', format: 'date' }
export const base64: JsonSchema = { type: 'string', format: 'byte' }
export const link: JsonSchema = { type: 'string', format: 'uri' }
export const description: JsonSchema = text(5, 256)
