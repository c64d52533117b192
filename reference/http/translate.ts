import type { Dialect } from '../../contract/dialect.ts'
import { schema as schemaRow } from '../../contract/schemas.ts'
import type { JsonSchema } from '../../contract/types.ts'

/** Bodies between the canonical form and the spelling of a dialect: fields, values, places. */

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Follows references to the schema that describes a value, with the ids on the way. */
const resolve = (
  schema: JsonSchema | undefined,
): { schema: JsonSchema | undefined; ids: string[] } => {
  const ids: string[] = []
  let at = schema
  while (at !== undefined) {
    if (typeof at['$ref'] === 'string') {
      ids.push(at['$ref'])
      at = schemaRow(at['$ref'])
      continue
    }
    // A choice with one object in it is described by that object.
    const choice = at['anyOf'] as readonly JsonSchema[] | undefined
    const object = choice?.find((one) => '$ref' in one || 'properties' in one || 'items' in one)
    if (object === undefined) break
    at = object
  }
  return { schema: at, ids }
}

const take = (from: Record<string, unknown>, path: string): unknown => {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    const value = from[first]
    delete from[first]
    return value
  }
  const inner = from[first]
  if (!isObject(inner)) return undefined
  const copy = { ...inner }
  const value = take(copy, rest.join('.'))
  if (Object.keys(copy).length === 0) delete from[first]
  else from[first] = copy
  return value
}

const place = (into: Record<string, unknown>, path: string, value: unknown): void => {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    into[first] = value
    return
  }
  const inner = isObject(into[first]) ? { ...into[first] } : {}
  place(inner, rest.join('.'), value)
  into[first] = inner
}

const invert = (map: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([from, to]) => [to, from]))

/** Deeper bodies than this are answered as they are: no schema of the contract comes near. */
const deepest = 40

type Spelling = Readonly<Record<string, string>>

const property = (schema: JsonSchema | undefined, name: string): JsonSchema | undefined =>
  (schema?.['properties'] as Record<string, JsonSchema> | undefined)?.[name]
const items = (schema: JsonSchema | undefined): JsonSchema | undefined =>
  schema?.['items'] as JsonSchema | undefined

const translateValue = (
  maps: Readonly<Record<string, Spelling>>,
  field: string | undefined,
  value: string,
): string => (field === undefined ? value : (maps[field]?.[value] ?? value))

/** What is translated: a value, the schema and the field that it is of, and how deep in its body it is. */
type Translate = (
  value: unknown,
  schema: JsonSchema | undefined,
  field?: string,
  depth?: number,
) => unknown

const createWriter = (dialect: Dialect): Translate => {
  const write: Translate = (value, given, field, depth = 0) => {
    if (depth > deepest) return value
    if (typeof value === 'string') return translateValue(dialect.values, field, value)
    const { schema, ids } = resolve(given)
    if (Array.isArray(value)) {
      return value.map((item) => write(item, items(schema), field, depth + 1))
    }
    if (!isObject(value)) return value
    const out: Record<string, unknown> = {}
    const omitted = new Set(ids.flatMap((id) => dialect.omits?.[id] ?? []))
    for (const [name, item] of Object.entries(value)) {
      if (omitted.has(name)) continue
      out[dialect.fields[name] ?? name] = write(item, property(schema, name), name, depth + 1)
    }
    for (const id of ids) {
      for (const [name, path] of Object.entries(dialect.moves[id] ?? {})) {
        const spelled = dialect.fields[name] ?? name
        if (!Object.hasOwn(out, spelled)) continue
        const moved = out[spelled]
        delete out[spelled]
        place(out, path, moved)
      }
      const written = { ...dialect.constants?.[id], ...dialect.additions?.[id] }
      for (const [path, constant] of Object.entries(written)) {
        if (take({ ...out }, path) === undefined) place(out, path, constant)
      }
    }
    return out
  }
  return write
}

const createReader = (dialect: Dialect): Translate => {
  const fieldsBack = invert(dialect.fields)
  const valuesBack = Object.fromEntries(
    Object.entries(dialect.values).map(([field, values]) => [field, invert(values)]),
  )
  const read: Translate = (value, given, field, depth = 0) => {
    if (depth > deepest) return value
    if (typeof value === 'string') return translateValue(valuesBack, field, value)
    const { schema, ids } = resolve(given)
    if (Array.isArray(value))
      return value.map((item) => read(item, items(schema), field, depth + 1))
    if (!isObject(value)) return value
    const from: Record<string, unknown> = { ...value }
    const moves = ids.flatMap((id) => Object.entries(dialect.moves[id] ?? {}))
    // Looked up before anything is taken away: several fields may have one place.
    const moved = moves.map(([name, path]) => [name, take({ ...from }, path)] as const)
    for (const [, path] of moves) take(from, path)
    // Names of the contract that the wire spells, moves or leaves out are unknown there.
    const unknown = [
      ...Object.keys(dialect.fields).filter((name) => fieldsBack[name] === undefined),
      ...moves.map(([name]) => name),
      ...ids.flatMap((id) => dialect.omits?.[id] ?? []),
    ]
    for (const name of unknown) delete from[name]
    for (const [name, item] of moved) {
      if (item !== undefined) from[dialect.fields[name] ?? name] = item
    }
    return Object.fromEntries(
      Object.entries(from).map(([spelled, item]) => {
        const name = fieldsBack[spelled] ?? spelled
        return [name, read(item, property(schema, name), name, depth + 1)]
      }),
    )
  }
  return read
}

export interface Translator {
  /** Canonical body of a body on the wire. */
  read(schemaId: string | undefined, body: unknown): unknown
  /** Body on the wire of a canonical body. */
  write(schemaId: string | undefined, body: unknown): unknown
}

/** The translator of a dialect's bodies. */
export const createTranslator = (dialect: Dialect): Translator => {
  const plain = [dialect.fields, dialect.values, dialect.moves].every(
    (map) => Object.keys(map).length === 0,
  )
  if (plain) return { read: (_, body) => body, write: (_, body) => body }
  const by = (translate: Translate) => (id: string | undefined, body: unknown) =>
    translate(body, id === undefined ? undefined : { $ref: id })
  return { read: by(createReader(dialect)), write: by(createWriter(dialect)) }
}
