import type { Dialect } from '../contract/dialect.ts'
import { endpoint } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'
import { schema as schemaOf } from '../contract/schemas.ts'
import type { Bearer, JsonSchema } from '../contract/types.ts'
import { withOutcome } from './outcome.ts'

/**
 * The tester's translator between the contract's words and those of a dialect: operations, and names, values and
 * places in bodies. A value that it does not know passes as it is, so that wrong input stays wrong.
 */

/** An operation as a dialect spells it. */
export interface WireOperation {
  readonly method: string
  /** Below the version prefix, parameters in braces. */
  readonly path: string
  readonly aliases: readonly string[]
  readonly atOrigin: boolean
  /** Status of success. */
  readonly status: number
  readonly bearer: Bearer
  /** Rate rule. */
  readonly rate: string
}

/** The dialect has no such operation. */
export class OperationAbsent extends Error {
  override readonly name = 'OperationAbsent'
  constructor(operation: OperationId, reason: string) {
    super(`${operation} is absent in this dialect: ${reason}`)
    withOutcome(this, { kind: 'not-applicable', reason: this.message })
  }
}

/** Why an operation is not there, or undefined when it is. */
export function absence(operation: OperationId, dialect: Dialect): string | undefined {
  const form = dialect.operations[operation]
  return form !== undefined && 'absent' in form ? form.absent : undefined
}

/**
 * Where and how an operation is called in a dialect.
 * @throws {OperationAbsent} when the dialect does not have it
 */
export function wireOperation(operation: OperationId, dialect: Dialect): WireOperation {
  const row = endpoint(operation)
  const form = dialect.operations[operation]
  if (form !== undefined && 'absent' in form) throw new OperationAbsent(operation, form.absent)
  return {
    method: form?.method ?? row.method,
    path: form?.path ?? wireWords(row.path, dialect),
    aliases: form?.aliases ?? row.aliases?.map((alias) => wireWords(alias, dialect)) ?? [],
    atOrigin: form?.atOrigin ?? row.atOrigin ?? false,
    status: form?.status ?? row.answer.status,
    bearer: form?.bearer ?? row.bearer,
    rate: form?.rate ?? row.rate,
  }
}

/** Replaces the words of the service's name in a path, header name or media type; parameters in braces stay. */
export function wireWords(text: string, dialect: Dialect): string {
  return Object.entries(dialect.words).reduce(
    (result, [word, wire]) =>
      result
        .split(/(\{[^}]*\})/)
        .map((piece) => (piece.startsWith('{') ? piece : replaceWord(piece, word, wire)))
        .join(''),
    text,
  )
}

const replaceWord = (text: string, word: string, wire: string): string =>
  text.replace(new RegExp(`(^|[^A-Za-z0-9])${word}(?=$|[^A-Za-z0-9])`, 'g'), `$1${wire}`)

/** A field name (of a body, of the query, of a path) on the wire. */
export const wireField = (name: string, dialect: Dialect): string => dialect.fields[name] ?? name

/** A value of a field on the wire. */
export const wireValue = (field: string, value: unknown, dialect: Dialect): unknown =>
  typeof value === 'string' ? (dialect.values[field]?.[value] ?? value) : value

/** A body in the contract's words, as it goes over the wire. `schema` is the schema id of the body. */
export const toWire = (body: unknown, schema: string | undefined, dialect: Dialect): unknown =>
  write(body, schema === undefined ? undefined : { $ref: schema }, undefined, dialect)

/** A body from the wire, in the contract's words. `schema` is the schema id of the body. */
export const fromWire = (body: unknown, schema: string | undefined, dialect: Dialect): unknown =>
  read(body, schema === undefined ? undefined : { $ref: schema }, undefined, dialect)

type Schema = JsonSchema | undefined
type Fields = Readonly<Record<string, unknown>>

// `field` is the contract's name of the field that contains the value.
function write(
  value: unknown,
  schema: Schema,
  field: string | undefined,
  dialect: Dialect,
): unknown {
  if (typeof value === 'string') return translated(value, field, dialect)
  if (Array.isArray(value)) {
    const items = itemsOf(schema)
    return value.map((entry) => write(entry, items, field, dialect))
  }
  if (!isFields(value)) return value
  const { id, properties } = objectOf(schema)
  const moves = rowOf(dialect.moves, id) ?? {}
  const omitted = rowOf(dialect.omits, id) ?? []
  const wire: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    if (omitted.includes(name) || name in moves) continue
    wire[dialect.fields[name] ?? name] = write(inner, properties[name], name, dialect)
  }
  for (const [name, path] of Object.entries(moves)) {
    if (name in value) put(wire, path, write(value[name], properties[name], name, dialect))
  }
  for (const [path, constant] of Object.entries(rowOf(dialect.constants, id) ?? {})) {
    if (get(wire, path) === undefined) put(wire, path, constant)
  }
  return wire
}

function read(
  value: unknown,
  schema: Schema,
  field: string | undefined,
  dialect: Dialect,
): unknown {
  if (typeof value === 'string') return translatedBack(value, field, dialect)
  if (Array.isArray(value)) {
    const items = itemsOf(schema)
    return value.map((entry) => read(entry, items, field, dialect))
  }
  if (!isFields(value)) return value
  const { properties, moves, strange, names } = formOf(schema, dialect)
  const canonical: Record<string, unknown> = {}
  const rest = moves.reduce<Fields>((fields, [, path]) => without(fields, path), value)
  for (const wireName of Object.keys(rest)) {
    const name = names.get(wireName) ?? wireName
    if (name === wireName && strange.has(name)) continue
    canonical[name] = read(rest[wireName], properties[name], name, dialect)
  }
  for (const [name, path] of moves) {
    const moved = get(value, path)
    if (moved !== undefined) canonical[name] = read(moved, properties[name], name, dialect)
  }
  return canonical
}

/** What reading an object of one kind takes, the same for every answer. */
interface WireForm {
  readonly properties: Readonly<Record<string, JsonSchema>>
  /** Contract name, place on the wire. */
  readonly moves: readonly (readonly [string, string])[]
  readonly strange: ReadonlySet<string>
  /** Name on the wire -> contract name. */
  readonly names: ReadonlyMap<string, string>
}

const forms = new WeakMap<Dialect, Map<string, WireForm>>()

function formOf(schema: Schema, dialect: Dialect): WireForm {
  // Only named schemas are kept: there are as many others as there are answers.
  const key = schema?.['$ref']
  const known = forms.get(dialect) ?? new Map<string, WireForm>()
  const kept = typeof key === 'string' ? known.get(key) : undefined
  if (kept !== undefined) return kept
  const { id, properties } = objectOf(schema)
  const form: WireForm = {
    properties,
    moves: Object.entries(rowOf(dialect.moves, id) ?? {}),
    strange: namesElsewhere(id, dialect),
    names: new Map(Object.entries(dialect.fields).map(([name, wire]) => [wire, name])),
  }
  if (typeof key === 'string') forms.set(dialect, known.set(key, form))
  return form
}

// Contract names that the wire has under another name, in another place or not at all: on the wire they mean nothing.
const namesElsewhere = (id: string | undefined, dialect: Dialect): ReadonlySet<string> =>
  new Set([
    ...Object.keys(dialect.fields),
    ...Object.keys(rowOf(dialect.moves, id) ?? {}),
    ...(rowOf(dialect.omits, id) ?? []),
  ])

const translated = (value: string, field: string | undefined, dialect: Dialect): string =>
  rowOf(dialect.values, field)?.[value] ?? value

const translatedBack = (value: string, field: string | undefined, dialect: Dialect): string => {
  const row = rowOf(dialect.values, field)
  if (row === undefined) return value
  return Object.entries(row).find(([, wire]) => wire === value)?.[0] ?? value
}

const rowOf = <T>(
  rows: Readonly<Record<string, T>> | undefined,
  id: string | undefined,
): T | undefined => (id !== undefined && rows && Object.hasOwn(rows, id) ? rows[id] : undefined)

// The id by which a schema is known and its properties: through `$ref`, and the object of an `anyOf`.
function objectOf(schema: Schema): {
  readonly id: string | undefined
  readonly properties: Readonly<Record<string, JsonSchema>>
} {
  let id: string | undefined
  let current = schema
  while (current !== undefined) {
    const target: unknown = current['$ref']
    if (typeof target === 'string') {
      id = target
      current = schemaOf(target)
    } else if (Array.isArray(current['anyOf'])) {
      current = (current['anyOf'] as JsonSchema[]).find(describesObject)
    } else break
  }
  const properties = (current?.['properties'] ?? {}) as Record<string, JsonSchema>
  return { id, properties }
}

const describesObject = (schema: JsonSchema): boolean => {
  const target = schema['$ref']
  const resolved = typeof target === 'string' ? schemaOf(target) : schema
  return resolved !== undefined && 'properties' in resolved
}

function itemsOf(schema: Schema): Schema {
  const target = schema?.['$ref']
  if (typeof target === 'string') return itemsOf(schemaOf(target))
  if (Array.isArray(schema?.['anyOf'])) {
    return (schema['anyOf'] as JsonSchema[]).map(itemsOf).find((items) => items !== undefined)
  }
  return schema?.['items'] as Schema
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array)

const steps = (path: string): readonly [string, string | undefined] => {
  const dot = path.indexOf('.')
  return dot < 0 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)]
}

function get(fields: Fields, path: string): unknown {
  const [name, deeper] = steps(path)
  const inner = fields[name]
  if (deeper === undefined) return inner
  return isFields(inner) ? get(inner, deeper) : undefined
}

// Only objects that `write` has made itself are changed.
function put(fields: Record<string, unknown>, path: string, value: unknown): void {
  const [name, deeper] = steps(path)
  if (deeper === undefined) {
    fields[name] = value
    return
  }
  const inner: Record<string, unknown> = isFields(fields[name]) ? { ...fields[name] } : {}
  fields[name] = inner
  put(inner, deeper, value)
}

function without(fields: Fields, path: string): Fields {
  const [name, deeper] = steps(path)
  if (!(name in fields)) return fields
  const { [name]: inner, ...others } = fields
  if (deeper === undefined) return others
  if (!isFields(inner) || get(inner, deeper) === undefined) return fields
  const emptied = without(inner, deeper)
  return Object.keys(emptied).length === 0 ? others : { ...fields, [name]: emptied }
}
