import { schema as schemaOf } from '../../../contract/schemas.ts'
import type { BodyOf, SchemaId } from '../../../contract/schemas.ts'
import type { JsonSchema } from '../../../contract/types.ts'

/** The fields of a body that the contract names; a response may contain others, which may change. */

/** The schema that describes a value, with references and alternatives resolved. */
export const resolved = (
  schema: JsonSchema | undefined,
  value: unknown,
): JsonSchema | undefined => {
  const target = schema?.['$ref']
  if (typeof target === 'string') return resolved(schemaOf(target), value)
  if (!Array.isArray(schema?.['anyOf'])) return schema
  const choices = (schema['anyOf'] as JsonSchema[]).map((one) => resolved(one, value))
  return choices.find((one) => (one?.['properties'] !== undefined) === (typeof value === 'object'))
}

const prune = (value: unknown, schema: JsonSchema | undefined): unknown => {
  const form = resolved(schema, value)
  if (Array.isArray(value)) return value.map((item) => prune(item, form?.['items'] as JsonSchema))
  const properties = form?.['properties'] as Readonly<Record<string, JsonSchema>> | undefined
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(known.map(([name, inner]) => [name, prune(inner, properties[name])]))
}

/** A body in the contract's words, without the fields that its schema does not name. */
export const knownFields = <Id extends SchemaId>(body: unknown, schema: Id): BodyOf<Id> =>
  prune(body, { $ref: schema }) as BodyOf<Id>
