import type { OperationId } from '../../contract/endpoints.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { RefusalId } from '../../contract/errors.ts'
import type { SchemaId } from '../../contract/schemas.ts'
import type { Endpoint, Json, JsonSchema } from '../../contract/types.ts'
import { resolved } from '../requests/json-body.ts'
import type { Fault, Malformation } from './malformation.ts'

/** Bodies with one keyword of their schema broken, derived from the contract's schemas. */
export interface JsonMalformation extends Malformation {
  readonly of: 'json'
  readonly operation: OperationId
  readonly schema: SchemaId
  /** The keyword that no longer holds. */
  readonly keyword: string
  /** JSON pointer of the value. */
  readonly pointer: string
  /** A valid body of the schema, as the contract gives it. */
  readonly example: Json
  /** The body with the fault; undefined where this body has nothing at the place. */
  readonly apply: (body: Json) => { readonly body: Json; readonly fault: Fault } | undefined
}

type Step = string | number

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a place; undefined where there is none. */
function valueAt(body: Json, path: readonly Step[]): Json | undefined {
  let at: Json | undefined = body
  for (const step of path) {
    if (Array.isArray(at)) at = (at as readonly Json[])[step as number]
    else if (isObject(at)) at = at[step]
    else return undefined
  }
  return at
}

/** Puts a value at a place; `undefined` removes the field. */
function put(body: Json, path: readonly Step[], value: Json | undefined): Json {
  const [first, ...rest] = path
  if (first === undefined) return value ?? null
  if (Array.isArray(body)) {
    return (body as readonly Json[]).map((each, i) => (i === first ? put(each, rest, value) : each))
  }
  const { [first]: old, ...others } = body as { readonly [key: string]: Json }
  if (rest.length === 0 && value === undefined) return others
  return { ...(body as { readonly [key: string]: Json }), [first]: put(old ?? null, rest, value) }
}

const otherTypes: Readonly<Record<string, Json>> = {
  string: 17,
  number: 'siedemnaście',
  integer: 'siedemnaście',
  boolean: 'tak',
  array: { 0: 'x' },
  object: 'x',
}

const typesOf = (schema: JsonSchema): readonly string[] => {
  const { type } = schema
  return typeof type === 'string' ? [type] : Array.isArray(type) ? (type as string[]) : []
}

const wrongFormats: Readonly<Record<string, string>> = {
  'date-time': '15.06.2026 08:00',
  date: '2026-02-30',
  byte: 'to nie jest Base64!',
  uri: 'nie adres',
  email: 'nie adres',
  ipv4: '999.1.1.1',
}

type Change = (value: Json) => Json | undefined

/** The text with its last character again and again, up to a number of characters (code points). */
function lengthened(text: string, length: number): string {
  const characters = Array.from(text)
  return text + (characters.at(-1) ?? 'x').repeat(Math.max(0, length - characters.length))
}

type NamedChange = readonly [keyword: string, change: Change]

/** How to break the type of a value. */
function typeChanges(types: readonly string[]): NamedChange[] {
  const out: NamedChange[] = []
  const only = types.find((type) => type !== 'null')
  if (only === undefined) return out
  out.push(['type', () => otherTypes[only]])
  if (!types.includes('null')) out.push(['type-null', () => null])
  if (only === 'array')
    out.push(['type-single', (value) => (Array.isArray(value) ? (value as Json[])[0] : undefined)])
  // A number or Boolean in quotes, which a lenient parser accepts as one.
  if (['number', 'integer', 'boolean'].includes(only))
    out.push([
      'type-quoted',
      (value) => (typeof value === 'string' ? undefined : JSON.stringify(value)),
    ])
  return out
}

/** For each keyword of a schema: how to break it and nothing else, as far as one value can. */
function changes(schema: JsonSchema): NamedChange[] {
  const out: NamedChange[] = []
  out.push(...typeChanges(typesOf(schema)))
  const number = (keyword: string) =>
    typeof schema[keyword] === 'number' ? schema[keyword] : undefined
  const minLength = number('minLength')
  if (minLength !== undefined && minLength > 0) {
    out.push([
      'minLength',
      (value) =>
        typeof value === 'string'
          ? Array.from(value)
              .slice(0, minLength - 1)
              .join('')
          : undefined,
    ])
  }
  const maxLength = number('maxLength')
  if (maxLength !== undefined && maxLength <= 100_000) {
    out.push([
      'maxLength',
      (value) => (typeof value === 'string' ? lengthened(value, maxLength + 1) : undefined),
    ])
  }
  if (typeof schema['pattern'] === 'string') {
    const pattern = new RegExp(schema['pattern'], 'u')
    out.push([
      'pattern',
      (value) =>
        typeof value === 'string'
          ? [value.toLowerCase(), `${value.slice(0, -1)}!`, `!${value.slice(1)}`].find(
              (text) => !pattern.test(text),
            )
          : undefined,
    ])
  }
  if (Array.isArray(schema['enum'])) out.push(['enum', () => 'NieMaTakiej'])
  if ('const' in schema) out.push(['const', () => 'inna'])
  const format = schema['format']
  if (typeof format === 'string' && wrongFormats[format] !== undefined) {
    out.push(['format', () => wrongFormats[format]])
  }
  const minimum = number('minimum')
  if (minimum !== undefined) out.push(['minimum', () => minimum - 1])
  const maximum = number('maximum')
  if (maximum !== undefined) out.push(['maximum', () => maximum + 1])
  const minItems = number('minItems')
  if (minItems !== undefined && minItems > 0) {
    out.push([
      'minItems',
      (value) => (Array.isArray(value) ? (value as Json[]).slice(0, minItems - 1) : undefined),
    ])
  }
  const maxItems = number('maxItems')
  if (maxItems !== undefined) {
    out.push([
      'maxItems',
      (value) => {
        const [first] = Array.isArray(value) ? (value as Json[]) : []
        return first === undefined ? undefined : Array.from({ length: maxItems + 1 }, () => first)
      },
    ])
  }
  return out
}

interface Found {
  readonly path: readonly Step[]
  readonly keyword: string
  readonly change: Change
}

/** Every keyword of a schema that can be broken in the example. */
function walk(
  schema: JsonSchema,
  example: Json,
  path: readonly Step[],
  out: Found[],
  oneOfSeveral = false,
): void {
  const here = resolved(schema)
  const value = valueAt(example, path)
  if (value === undefined || value === null) return
  const branches = here['anyOf']
  if (Array.isArray(branches)) {
    // Which branch the example took cannot be told without validating; a value of no branch's type breaks all.
    const types = new Set((branches as JsonSchema[]).flatMap((branch) => typesOf(resolved(branch))))
    const other = Object.entries(otherTypes).find(
      ([type, bad]) => !types.has(type) && !types.has(typeof bad),
    )
    if (other) out.push({ path, keyword: 'anyOf', change: () => other[1] })
    const object = (branches as JsonSchema[])
      .map(resolved)
      .find((branch) => typesOf(branch).includes('object') && isObject(value))
    if (object) walk(object, example, path, out, true)
    return
  }
  for (const [keyword, change] of changes(here)) {
    // Another branch may accept what this one rejects.
    if (oneOfSeveral && keyword.startsWith('type')) continue
    // A body that is no object at all has a class of its own.
    if (path.length > 0 || keyword === 'type') out.push({ path, keyword, change })
  }
  const properties = here['properties']
  if (isObject(properties as Json) && isObject(value)) {
    for (const name of (here['required'] ?? []) as string[]) {
      if (name in value)
        out.push({ path: [...path, name], keyword: 'required', change: () => undefined })
    }
    for (const [name, inner] of Object.entries(properties as Record<string, JsonSchema>)) {
      walk(inner, example, [...path, name], out)
    }
  }
  if (Array.isArray(value) && value.length > 0 && isObject(here['items'] as Json)) {
    walk(here['items'] as JsonSchema, example, [...path, 0], out)
  }
}

const pointerOf = (path: readonly Step[]) => path.map((step) => `/${step}`).join('')

/** Fields whose faults have a separate refusal. */
const ownRefusals: Readonly<Record<string, RefusalId>> = {
  encryptedSymmetricKey: 'session-key-refused',
  initVector: 'session-key-refused',
  encryptedInvoiceContent: 'content-not-base64',
}

const words: Readonly<Record<string, string>> = {
  required: 'is missing',
  type: 'is of another type',
  'type-null': 'is null',
  'type-single': 'is one value instead of a list of it',
  'type-quoted': 'is in quotes',
  minLength: 'is too short',
  maxLength: 'is too long',
  pattern: 'does not match its pattern',
  enum: 'is not among the allowed values',
  const: 'is not the one allowed value',
  format: 'is not written as its format asks',
  minimum: 'is too small',
  maximum: 'is too large',
  minItems: 'has too few entries',
  maxItems: 'has too many entries',
  anyOf: 'is not one of the allowed kinds',
}

/** Every keyword of every request body, broken alone. */
export function jsonMalformations(): JsonMalformation[] {
  return (Object.entries(endpoints) as [OperationId, Endpoint][]).flatMap(
    ([operation, endpoint]) => {
      const id = endpoint.request?.schema
      if (id === undefined) return []
      const root = resolved({ $ref: id })
      const [example] = (root['examples'] ?? []) as Json[]
      if (example === undefined) return []
      const found: Found[] = []
      walk(root, example, [], found)
      return found.flatMap(({ path, keyword, change }): JsonMalformation[] => {
        const apply: JsonMalformation['apply'] = (body) => {
          const old = valueAt(body, path)
          if (old === undefined) return undefined
          const made = keyword === 'required' ? undefined : change(old)
          if (keyword !== 'required' && (made === undefined || made === old)) return undefined
          return {
            body: put(body, path, made),
            fault: {
              path: pointerOf(path) || '/',
              old: JSON.stringify(old),
              ...(made !== undefined && { new: JSON.stringify(made).slice(0, 200) }),
            },
          }
        }
        if (!apply(example)) return []
        const field = path.findLast((step) => typeof step === 'string') ?? 'the body'
        // A wrong type or a missing field is detected before the service interprets the field.
        const own = ['format', 'minLength'].includes(keyword) ? ownRefusals[field] : undefined
        return [
          {
            id: `json:${operation}${pointerOf(path)}/${keyword}`,
            layer: 'json',
            of: 'json',
            rule: 'transport.malformed-body',
            refusedAs: own ?? 'invalid-input',
            summary: `${field} ${words[keyword] ?? `breaks ${keyword}`}`,
            operation,
            schema: id as SchemaId,
            keyword,
            pointer: pointerOf(path),
            example,
            apply,
          },
        ]
      })
    },
  )
}
