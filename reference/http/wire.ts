import type { Dialect, ErrorShape } from '../../contract/dialect.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { endpoint } from '../../contract/endpoints.ts'
import { schema as schemaRow } from '../../contract/schemas.ts'
import type { Bearer, JsonSchema, Method } from '../../contract/types.ts'

/**
 * Between the canonical form and the spelling of a dialect: paths, methods, fields, values, places, errors. Reads the
 * rows of the dialect and knows none by name.
 */

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

export interface Wire {
  /** Canonical body of a body on the wire. */
  read(schemaId: string | undefined, body: unknown): unknown
  /** Body on the wire of a canonical body. */
  write(schemaId: string | undefined, body: unknown): unknown
  /** How an operation is called; undefined when the dialect has it not. */
  route(operation: OperationId): Route | undefined
  /** Body and media type of an error. */
  error(facts: ErrorFacts, askedFormat: string | undefined): { media: string; body: unknown }
}

export interface Route {
  readonly method: Method
  /** With the prefix where there is one; parameters in braces, canonical names. */
  readonly paths: readonly string[]
  readonly status: number
  readonly bearer: Bearer
  /** Row of the rate table, `public` or `unlimited`. */
  readonly rate: string
  /** Names of optional parameters that are required here. */
  readonly requires: readonly string[]
}

export interface ErrorFacts {
  readonly status: number
  readonly code: number
  readonly title: string
  readonly description: string
  readonly details: readonly string[]
  readonly timestamp: string
  readonly instance: string
  readonly traceId: string
  readonly [name: string]: unknown
}

/** A path of the contract with the dialect's words; parameters in braces stay. */
const spell = (path: string, dialect: Dialect): string =>
  path
    .split('/')
    .map((segment) =>
      segment.startsWith('{')
        ? segment
        : Object.entries(dialect.words).reduce(
            (text, [word, spelled]) => text.replace(new RegExp(`\\b${word}\\b`, 'g'), spelled),
            segment,
          ),
    )
    .join('/')

/** The path of an operation below the prefix, parameters in braces. */
export const wirePath = (operation: OperationId, dialect: Dialect): string => {
  const form = dialect.operations[operation]
  const own = form !== undefined && 'path' in form ? form.path : undefined
  return own ?? spell(endpoint(operation).path, dialect)
}

const fill = (template: unknown, facts: Fields): unknown => {
  if (typeof template === 'string' && template.startsWith('$')) return facts[template.slice(1)]
  if (Array.isArray(template)) return template.map((item) => fill(item, facts))
  if (!isObject(template)) return template
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, item]) => [name, fill(item, facts)] as const)
      .filter(([, item]) => item !== undefined),
  )
}

const shapeFor = (dialect: Dialect, status: number, asked: string | undefined): ErrorShape => {
  const shape = dialect.errorShapes.find(
    (one) =>
      (one.statuses === undefined || one.statuses.includes(status)) &&
      (one.asked === undefined || one.asked === asked),
  )
  if (shape === undefined)
    throw new Error(`the dialect ${dialect.id} has no error shape for ${status}`)
  return shape
}

/** How an operation is called; undefined when the dialect does not have it. */
const routeOf = (operation: OperationId, dialect: Dialect): Route | undefined => {
  const row = endpoint(operation)
  const form = dialect.operations[operation]
  if (form !== undefined && 'absent' in form) return undefined
  const below = [
    wirePath(operation, dialect),
    ...(form?.aliases ??
      (form?.path === undefined ? (row.aliases ?? []).map((path) => spell(path, dialect)) : [])),
  ]
  const atOrigin = form?.atOrigin ?? row.atOrigin ?? false
  return {
    method: form?.method ?? row.method,
    paths: [...below.map((path) => dialect.prefix + path), ...(atOrigin ? below : [])],
    status: form?.status ?? row.answer.status,
    bearer: form?.bearer ?? row.bearer,
    rate: form?.rate ?? row.rate,
    requires: form?.requires ?? [],
  }
}

/** The translator of a dialect. */
export const createWire = (dialect: Dialect): Wire => {
  const plain = [dialect.fields, dialect.values, dialect.moves].every(
    (map) => Object.keys(map).length === 0,
  )
  const fieldsBack = invert(dialect.fields)
  const valuesBack = Object.fromEntries(
    Object.entries(dialect.values).map(([field, values]) => [field, invert(values)]),
  )

  const property = (schema: JsonSchema | undefined, name: string): JsonSchema | undefined =>
    (schema?.['properties'] as Record<string, JsonSchema> | undefined)?.[name]
  const items = (schema: JsonSchema | undefined): JsonSchema | undefined =>
    schema?.['items'] as JsonSchema | undefined

  const translateValue = (
    maps: Readonly<Record<string, Readonly<Record<string, string>>>>,
    field: string | undefined,
    value: string,
  ): string => (field === undefined ? value : (maps[field]?.[value] ?? value))

  const write = (
    value: unknown,
    given: JsonSchema | undefined,
    field?: string,
    depth = 0,
  ): unknown => {
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
      for (const [path, constant] of Object.entries(dialect.constants?.[id] ?? {})) {
        if (take({ ...out }, path) === undefined) place(out, path, constant)
      }
    }
    return out
  }

  const read = (
    value: unknown,
    given: JsonSchema | undefined,
    field?: string,
    depth = 0,
  ): unknown => {
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

  return {
    read: (id, body) => (plain ? body : read(body, id === undefined ? undefined : { $ref: id })),
    write: (id, body) => (plain ? body : write(body, id === undefined ? undefined : { $ref: id })),
    route: (operation) => routeOf(operation, dialect),
    error(facts, asked) {
      const shape = shapeFor(dialect, facts.status, asked)
      return { media: shape.media, body: fill(shape.template, facts) }
    },
  }
}
