import type { Dialect } from '../../contract/dialect.ts'
import { schemas } from '../../contract/schemas.ts'
import type { JsonSchema } from '../../contract/types.ts'

/** The contract's schemas as a dialect spells them: names, values and places. */

export interface WireSchemas {
  /** By the ids of the contract, which a `$ref` still names. */
  readonly all: Readonly<Record<string, JsonSchema>>
  /** The schema of a field that has no id, such as a parameter. */
  readonly of: (schema: JsonSchema, field: string) => JsonSchema
}

/** A value of an object: where it is, what it may be, and whether it must be there. */
interface Leaf {
  readonly path: readonly string[]
  readonly schema: JsonSchema
  readonly required: boolean
}

type Properties = Readonly<Record<string, JsonSchema>>

const propertiesOf = (schema: JsonSchema): Properties => (schema['properties'] ?? {}) as Properties

const requiredOf = (schema: JsonSchema): readonly string[] =>
  (schema['required'] ?? []) as readonly string[]

/** The schemas of the values of a list, and those that a value may choose from. */
const partsOf = (schema: JsonSchema): readonly JsonSchema[] => [
  ...('items' in schema ? [schema['items'] as JsonSchema] : []),
  ...((schema['anyOf'] ?? []) as readonly JsonSchema[]),
]

const referencesIn = (schema: JsonSchema): readonly string[] => [
  ...(typeof schema['$ref'] === 'string' ? [schema['$ref']] : []),
  ...partsOf(schema).flatMap(referencesIn),
]

const fieldsIn = (schema: JsonSchema): readonly (readonly [string, JsonSchema])[] => [
  ...Object.entries(propertiesOf(schema)).flatMap(([name, inner]) => [
    [name, inner] as const,
    ...fieldsIn(inner),
  ]),
  ...partsOf(schema).flatMap(fieldsIn),
]

/** An object with these values; deeper paths become objects inside it. */
const objectOf = (leaves: readonly Leaf[]): JsonSchema => {
  const names = [...new Set(leaves.map(({ path: [first = ''] }) => first))]
  const required = names.filter((name) =>
    leaves.some((leaf) => leaf.required && leaf.path[0] === name),
  )
  const valueOf = (name: string): JsonSchema => {
    const here = leaves.filter(({ path }) => path[0] === name)
    const whole = here.findLast(({ path }) => path.length === 1)
    const below = here
      .filter(({ path }) => path.length > 1)
      .map((leaf) => ({ ...leaf, path: leaf.path.slice(1) }))
    if (below.length === 0) return whole?.schema ?? {}
    const known = Object.entries(whole === undefined ? {} : propertiesOf(whole.schema)).map(
      ([inner, schema]): Leaf => ({
        path: [inner],
        schema,
        required: whole !== undefined && requiredOf(whole.schema).includes(inner),
      }),
    )
    return { type: 'object', ...objectOf([...known, ...below]) }
  }
  return {
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(names.map((name) => [name, valueOf(name)])),
  }
}

const schemaOf = (value: unknown): JsonSchema => {
  if (typeof value !== 'object' || value === null)
    return { type: Number.isInteger(value) ? 'integer' : typeof value }
  const leaves = Object.entries(value).map(([name, inner]): Leaf => ({
    path: [name],
    schema: schemaOf(inner),
    required: true,
  }))
  return { type: 'object', ...objectOf(leaves) }
}

export const createWireSchemas = (dialect: Dialect): WireSchemas => {
  /** The field whose values an enumeration with an id has: that of the properties that refer to it. */
  const fieldOf = new Map(
    Object.values<JsonSchema>(schemas)
      .flatMap(fieldsIn)
      .filter(([field]) => field in dialect.values)
      .flatMap(([field, schema]) => referencesIn(schema).map((id) => [id, field] as const)),
  )

  const spell = (schema: JsonSchema, field: string | undefined, id?: string): JsonSchema => {
    const { properties, ...rest } = Object.fromEntries(
      Object.entries(schema).filter(
        ([keyword]) => keyword !== 'examples' && keyword !== 'required',
      ),
    )
    const values = (field !== undefined && dialect.values[field]) || {}
    const spelled: JsonSchema = {
      ...rest,
      ...(Array.isArray(rest['enum']) && {
        enum: rest['enum'].map((value: string) => values[value] ?? value),
      }),
      ...('items' in rest && { items: spell(rest['items'] as JsonSchema, field) }),
      ...('anyOf' in rest && {
        anyOf: (rest['anyOf'] as readonly JsonSchema[]).map((one) => spell(one, field)),
      }),
    }
    return properties === undefined ? spelled : { ...spelled, ...objectOf(leavesOf(schema, id)) }
  }

  const leavesOf = (schema: JsonSchema, id: string | undefined): readonly Leaf[] => {
    const rowsOf = <T>(table: Readonly<Record<string, T>> | undefined): T | undefined =>
      id === undefined ? undefined : table?.[id]
    const given = propertiesOf(schema)
    const omitted = new Set(rowsOf(dialect.omits))
    const required = new Set([...requiredOf(schema), ...(rowsOf(dialect.requires) ?? [])])
    const fields = Object.entries(given)
      .filter(([name]) => !omitted.has(name))
      .map(([name, inner]): Leaf => ({
        path: (rowsOf(dialect.moves)?.[name] ?? dialect.fields[name] ?? name).split('.'),
        schema: spell(inner, name),
        required: required.has(name),
      }))
      // A place inside another property is described by that property.
      .filter(({ path: [first = '', ...rest] }) => rest.length === 0 || !(first in given))
    const leafOf =
      (isRequired: boolean) =>
      ([path, value]: [string, unknown]): Leaf => ({
        path: path.split('.'),
        schema: schemaOf(value),
        required: isRequired,
      })
    return [
      ...fields,
      ...Object.entries(rowsOf(dialect.constants) ?? {}).map(leafOf(true)),
      ...Object.entries(rowsOf(dialect.additions) ?? {}).map(leafOf(false)),
    ]
  }

  const isOwnForm = [dialect.fields, dialect.values, dialect.moves].every(
    (rows) => Object.keys(rows).length === 0,
  )
  return {
    all: Object.fromEntries(
      Object.entries<JsonSchema>(schemas).map(([id, schema]) => [
        id,
        dialect.schemas[id] ?? (isOwnForm ? schema : spell(schema, fieldOf.get(id), id)),
      ]),
    ),
    of: (schema, field) => spell(schema, field),
  }
}
