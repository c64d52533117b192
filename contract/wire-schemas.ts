import type { Dialect } from './dialect.ts'
import { schemas } from './schemas.ts'
import type { JsonSchema } from './types.ts'

/**
 * The schemas of the contract as a dialect has them on the wire, for its OpenAPI description and for the tester. The
 * reference derives its own, and both are compared with known answers in `contract/vectors/dialect.json`.
 */

type Properties = Record<string, JsonSchema>
interface ObjectSchema {
  required: string[]
  properties: Properties
}

/**
 * Every schema of the contract in a dialect's names, values and places, by the same ids; `$ref` still names an id.
 * Examples are kept only where the dialect has the contract's own form.
 */
export function wireSchemas(dialect: Dialect): Record<string, JsonSchema> {
  const plain = [dialect.fields, dialect.values, dialect.moves].every(
    (map) => Object.keys(map).length === 0,
  )
  const enumerations = enumerationFields(dialect)
  const result: Record<string, JsonSchema> = {}
  for (const [id, schema] of Object.entries<JsonSchema>(schemas)) {
    const own = dialect.schemas[id]
    result[id] = own ?? (plain ? schema : translate(schema, id, enumerations.get(id), dialect))
  }
  return result
}

/** A schema of parameters and other places that have no id. */
export const wireSchema = (schema: JsonSchema, field: string, dialect: Dialect): JsonSchema =>
  translate(schema, undefined, field, dialect)

// An enumeration with its own id has its values translated by the field that refers to it.
function enumerationFields(dialect: Dialect): Map<string, string> {
  const found = new Map<string, string>()
  const look = (schema: unknown, field: string | undefined): void => {
    if (Array.isArray(schema)) schema.forEach((entry) => look(entry, field))
    if (!isObject(schema)) return
    if (typeof schema['$ref'] === 'string' && field !== undefined && field in dialect.values) {
      found.set(schema['$ref'], field)
    }
    for (const [name, inner] of Object.entries(schema)) {
      if (name === 'examples' || name === 'enum') continue
      if (name === 'properties' && isObject(inner)) {
        for (const [property, described] of Object.entries(inner)) look(described, property)
      } else look(inner, field)
    }
  }
  for (const schema of Object.values(schemas)) look(schema, undefined)
  return found
}

function translate(
  schema: JsonSchema,
  id: string | undefined,
  field: string | undefined,
  dialect: Dialect,
): JsonSchema {
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'examples' || keyword === 'required' || keyword === 'properties') continue
    if (keyword === 'enum' && Array.isArray(value)) {
      result['enum'] = value.map((entry: unknown) => spell(entry, field, dialect))
    } else if (keyword === 'items' && isObject(value)) {
      result['items'] = translate(value, undefined, field, dialect)
    } else if (keyword === 'anyOf' && Array.isArray(value)) {
      result['anyOf'] = value.map((one: JsonSchema) => translate(one, undefined, field, dialect))
    } else result[keyword] = value
  }
  if (!isObject(schema['properties'])) return result
  const { required, properties } = translateProperties(schema, id, dialect)
  return {
    ...result,
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
    properties,
  }
}

function translateProperties(
  schema: JsonSchema,
  id: string | undefined,
  dialect: Dialect,
): ObjectSchema {
  const given = schema['properties'] as Properties
  const asked = new Set([
    ...((schema['required'] as readonly string[] | undefined) ?? []),
    ...((id !== undefined && dialect.requires?.[id]) || []),
  ])
  const omitted = new Set((id !== undefined && dialect.omits?.[id]) || [])
  const moves: Readonly<Record<string, string>> = (id !== undefined && dialect.moves[id]) || {}
  const target: ObjectSchema = { required: [], properties: {} }
  for (const [name, described] of Object.entries(given)) {
    if (omitted.has(name)) continue
    const inner = translate(described, undefined, name, dialect)
    const path = (moves[name] ?? dialect.fields[name] ?? name).split('.')
    // A path into a field that the schema already has is described in that field, or not at all.
    if (path.length > 1 && path[0] !== undefined && path[0] in given) continue
    put(target, path, inner, asked.has(name))
  }
  for (const [rows, required] of [
    [dialect.constants, true],
    [dialect.additions, false],
  ] as const) {
    const fields = (id !== undefined && rows?.[id]) || {}
    for (const [path, value] of Object.entries(fields))
      put(target, path.split('.'), schemaOf(value), required)
  }
  return target
}

function put(target: ObjectSchema, path: string[], schema: JsonSchema, required: boolean): void {
  const [first, ...rest] = path
  if (first === undefined) return
  if (required) target.required.push(first)
  if (rest.length === 0) {
    target.properties[first] = schema
    return
  }
  const inner = target.properties[first]
  const nested: ObjectSchema = {
    required: [...((inner?.['required'] as readonly string[] | undefined) ?? [])],
    properties: { ...(inner?.['properties'] as Properties | undefined) },
  }
  put(nested, rest, schema, required)
  target.properties[first] = { type: 'object', ...nested }
}

function schemaOf(value: unknown): JsonSchema {
  if (!isObject(value)) return { type: Number.isInteger(value) ? 'integer' : typeof value }
  return {
    type: 'object',
    required: Object.keys(value),
    properties: Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]),
    ),
  }
}

const spell = (value: unknown, field: string | undefined, dialect: Dialect): unknown =>
  typeof value === 'string' && field !== undefined
    ? (dialect.values[field]?.[value] ?? value)
    : value

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
