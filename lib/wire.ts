import type { Dialect } from '../contract/dialect.ts'
import { endpoint } from '../contract/endpoints.ts'
import type { OperationId } from '../contract/endpoints.ts'

/**
 * The tester's translator between the contract's words and those of a dialect: paths, methods, field names, values
 * and places. It only renames; a value that it does not know passes as it is, so that wrong input stays wrong.
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
}

/** The dialect has no such operation. */
export class OperationAbsent extends Error {
  override readonly name = 'OperationAbsent'
  constructor(operation: OperationId, reason: string) {
    super(`${operation} is absent in this dialect: ${reason}`)
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

/** A field name (of a body or of the query) on the wire. */
export const wireField = (name: string, dialect: Dialect): string => dialect.fields[name] ?? name

/** A value of a field on the wire. */
export const wireValue = (field: string, value: unknown, dialect: Dialect): unknown =>
  typeof value === 'string' ? (dialect.values[field]?.[value] ?? value) : value

/** A body in the contract's words, as it goes over the wire. `schema` is the schema id of the body. */
export function toWire(body: unknown, schema: string | undefined, dialect: Dialect): unknown {
  const names = new Map(Object.entries(dialect.fields))
  const values = new Map(Object.entries(dialect.values).map(([field, map]) => [field, toMap(map)]))
  const moves = schema === undefined ? {} : (dialect.moves[schema] ?? {})
  const moved = takeAll(body, Object.entries(moves))
  const wire = rename(moved.rest, names, values, undefined)
  for (const { to, from, value } of moved.taken) {
    put(wire, to.split('.'), rename(value, names, values, lastOf(from)))
  }
  return wire
}

/** A body from the wire, in the contract's words. `schema` is the schema id of the body. */
export function fromWire(body: unknown, schema: string | undefined, dialect: Dialect): unknown {
  const inverse = new Map<string, string>()
  for (const [name, wire] of Object.entries(dialect.fields)) {
    inverse.set(wire, name)
    // The contract's own spelling is none of the dialect's: it must not pass for the right one.
    if (!inverse.has(name)) inverse.set(name, `${name} (not a field of this dialect)`)
  }
  const values = new Map(
    Object.entries(dialect.values).map(([field, map]) => [
      field,
      new Map(Object.entries(map).map(([value, wire]) => [wire, value])),
    ]),
  )
  const moves = schema === undefined ? {} : (dialect.moves[schema] ?? {})
  const moved = takeAll(
    body,
    Object.entries(moves).map(([field, path]) => [path, field]),
  )
  const canonical = rename(moved.rest, inverse, values, undefined)
  for (const { to, value } of moved.taken) {
    put(canonical, to.split('.'), rename(value, inverse, values, lastOf(to)))
  }
  return canonical
}

const toMap = (record: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(record))

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

type Values = ReadonlyMap<string, ReadonlyMap<string, string>>

// `values` are keyed by the contract's field name, which is the old name on the way out and the new one on the way in.
function rename(
  value: unknown,
  names: ReadonlyMap<string, string>,
  values: Values,
  field: string | undefined,
): unknown {
  if (Array.isArray(value)) return value.map((entry) => rename(entry, names, values, field))
  if (typeof value === 'string') {
    return field === undefined ? value : (values.get(field)?.get(value) ?? value)
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const other = names.get(name) ?? name
      return [other, rename(inner, names, values, values.has(name) ? name : other)]
    }),
  )
}

interface Taken {
  readonly from: string
  readonly to: string
  readonly value: unknown
}

// Takes the moved values out of a copy; what is not there is not moved.
function takeAll(
  body: unknown,
  moves: readonly (readonly [string, string])[],
): { readonly rest: unknown; readonly taken: readonly Taken[] } {
  let rest = body
  const taken: Taken[] = []
  for (const [from, to] of moves) {
    const result = take(rest, from.split('.'))
    if (result === undefined) continue
    rest = result.rest
    taken.push({ from, to, value: result.value })
  }
  return { rest, taken }
}

function take(
  body: unknown,
  [name, ...deeper]: readonly string[],
): { readonly rest: unknown; readonly value: unknown } | undefined {
  if (name === undefined || !isRecord(body) || !Object.hasOwn(body, name)) return undefined
  const { [name]: inner, ...others } = body
  if (deeper.length === 0) return { rest: others, value: inner }
  const result = take(inner, deeper)
  if (result === undefined) return undefined
  const emptied = isRecord(result.rest) && Object.keys(result.rest).length === 0
  return { rest: emptied ? others : { ...others, [name]: result.rest }, value: result.value }
}

function put(body: unknown, [name, ...deeper]: readonly string[], value: unknown): void {
  if (name === undefined || !isRecord(body)) return
  if (deeper.length === 0) {
    body[name] = value
    return
  }
  if (!isRecord(body[name])) body[name] = {}
  put(body[name], deeper, value)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array)
