import type { Dialect } from '../../../contract/dialect.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { schema as schemaOf } from '../../../contract/schemas.ts'
import type { JsonSchema } from '../../../contract/types.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Mutant } from '../mutant.ts'
import { answers, bodies } from '../rewrite.ts'
import type { Fields } from '../rewrite.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'
import { ownersOf } from './owners.ts'

/** Fields of answers that are wrong: lost, altered, those of a neighbour, of another row, of another moment. */

export interface Field {
  /** Names from the body down; arrays have none of their own. */
  readonly path: readonly string[]
  /** The ids of the schemas of the objects that have each name of the path. */
  readonly holders: readonly string[]
  readonly schema: JsonSchema
  readonly required: boolean
  readonly nullable: boolean
}

interface Resolved {
  readonly schema: JsonSchema
  readonly nullable: boolean
  /** The id under which it is known. */
  readonly id?: string
}

/** A schema without references. */
const resolved = (given: JsonSchema): Resolved => {
  const reference = given['$ref']
  if (typeof reference === 'string')
    return { id: reference, ...resolved(schemaOf(reference) ?? {}) }
  const choices = given['anyOf'] as readonly JsonSchema[] | undefined
  if (choices !== undefined) {
    const first = choices.find(({ type }) => type !== 'null') ?? {}
    return { ...resolved(first), nullable: choices.some(({ type }) => type === 'null') }
  }
  const { type } = given
  if (!Array.isArray(type)) return { schema: given, nullable: false }
  return { schema: { ...given, type: type[0] as unknown }, nullable: type.includes('null') }
}

/** Every field below a schema, objects and arrays included. */
export const fieldsOf = (
  given: JsonSchema,
  path: readonly string[] = [],
  above: readonly string[] = [],
): readonly Field[] => {
  const { schema, id = '' } = resolved(given)
  if (schema['type'] === 'array') return fieldsOf(schema['items'] as JsonSchema, path, above)
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (schema['required'] ?? []) as readonly string[]
  const holders = [...above, id]
  return Object.entries(properties).flatMap(([name, inner]) => {
    const here = [...path, name]
    const { schema: own, nullable } = resolved(inner)
    return [
      { path: here, holders, schema: own, required: required.includes(name), nullable },
      ...fieldsOf(inner, here, holders),
    ]
  })
}

/** The schema of an operation's answer. */
export const answerSchema = (operation: OperationId): JsonSchema | undefined => {
  const { schema, media } = endpoint(operation).answer
  return schema === undefined || media !== 'application/json' ? undefined : schemaOf(schema)
}

type Alter = (value: unknown, holder: Fields, call: AnyCall) => unknown

/** Replaces the values at a path, in every object that holds one. */
const atPath = (
  body: unknown,
  [name, ...rest]: readonly string[],
  alter: (value: unknown, holder: Fields) => unknown,
): unknown => {
  if (Array.isArray(body)) return body.map((item) => atPath(item, [name ?? '', ...rest], alter))
  if (typeof body !== 'object' || body === null || name === undefined) return body
  const holder = body as Fields
  if (rest.length > 0)
    return name in holder ? { ...holder, [name]: atPath(holder[name], rest, alter) } : holder
  return { ...holder, [name]: alter(holder[name], holder) }
}

const present =
  (change: (value: never, holder: Fields, call: AnyCall) => unknown): Alter =>
  (value, holder, call) =>
    value === undefined || value === null ? value : change(value as never, holder, call)

const hour = 3_600_000
const shifted = (ms: number): Alter =>
  present((text: string) => new Date(Date.parse(text) + ms).toISOString())

const turned = present((text: string) =>
  text.length < 2 ? `${text}x` : `${text.slice(1)}${text.slice(0, 1)}`,
)

const instants: Readonly<Record<string, Alter>> = {
  'two-hours-early': shifted(-2 * hour),
  now: present((_text: string, _holder, { now }) => new Date(now).toISOString()),
}

const numbers: Readonly<Record<string, Alter>> = {
  'one-more': present((value: number) => value + 1),
  zero: present(() => 0),
}

const lists: Readonly<Record<string, Alter>> = {
  empty: present(() => []),
  'last-lost': present((items: readonly unknown[]) => items.slice(0, -1)),
  'first-twice': present((items: readonly unknown[]) => [...items.slice(0, 1), ...items]),
}

const alterations = ({ schema }: Field): Readonly<Record<string, Alter>> => {
  const values = schema['enum'] as readonly string[] | undefined
  if (values?.length === 1) return {}
  if (values !== undefined)
    return {
      next: present((value: string) => values[(values.indexOf(value) + 1) % values.length]),
      first: present(() => values[0]),
    }
  if (schema['format'] === 'date-time') return instants
  if (schema['format'] === 'date') return { 'day-later': present((text: string) => dayAfter(text)) }
  switch (schema['type']) {
    case 'boolean':
      return {
        false: present(() => false),
        true: present(() => true),
      }
    case 'integer':
      return numbers
    case 'number':
      return { ...numbers, negated: present((value: number) => -value) }
    case 'string':
      return { turned }
    case 'array':
      return lists
    default:
      return {}
  }
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 24 * hour).toISOString().slice(0, 10)

/** What kind of values a field has: neighbours of one kind can be taken for each other. */
const kindOf = ({ schema }: Field): string =>
  `${String(schema['type'])} ${String(schema['format'])} ${JSON.stringify(schema['enum'])}`

const isObject = ({ schema }: Field): boolean => schema['type'] === 'object'

/** Fields of an answer that carry no data of their own: texts, and what pages are made of. */
const notOwn = new Set(['hasMore', 'continuationToken', 'description', 'details', 'extensions'])

const codes: Readonly<Record<string, Alter>> = {
  'success-as-failure': present((code: number) => (code === 200 ? 500 : code)),
  'failure-as-success': present((code: number) => (code >= 300 ? 200 : code)),
  'pending-as-success': present((code: number) => (code < 200 ? 200 : code)),
  'success-as-pending': present((code: number) => (code === 200 ? 100 : code)),
}

/** Why a dialect does not write a field: it leaves it out, or writes a later one in its place. */
const absenceOf =
  ({ holders, path }: Field) =>
  ({ omits = {}, moves }: Dialect): string | undefined => {
    const reasons = path.map((name, depth) => {
      const holder = holders[depth] ?? ''
      if (omits[holder]?.includes(name) === true) return `${holder} has no ${name}`
      const places = Object.entries(moves[holder] ?? {})
      const own = moves[holder]?.[name]
      const last = places.findLast(([, place]) => place === own)?.[0]
      return own === undefined || last === name ? undefined : `${name} stands where ${last} does`
    })
    return reasons.find((reason) => reason !== undefined)
  }

/** Makes the processing of documents take a moment, without which no caller ever sees one in progress. */
const unhurried = (operation: OperationId): Pick<Mutant, 'at' | 'needs' | 'later'> => ({
  at: [operation, 'invoices.submit'],
  needs: operation,
  later: (kind, ms) => (kind === 'invoice' ? 400 : ms),
})

const yieldFor = (operation: OperationId, field: Field, all: readonly Field[]): Generated[] => {
  const path = field.path.join('.')
  const name = field.path.at(-1) ?? ''
  const rules = ownersOf(operation, path)
  const row = (change: string) => `${operation}.${path}.${change}`
  const wrong = (alter: Alter): Mutant =>
    answers([operation], (answer, call) => ({
      ...answer,
      body: atPath(answer.body, field.path, (value, holder) => alter(value, holder, call)),
    }))
  const made = (change: string, alter: Alter, more: Rules = rules): Generated =>
    generated('field', row(change), more, {
      ...wrong(alter),
      absentIn: absenceOf(field),
      ...(change === 'pending-as-success' &&
        rules.includes('invoices.status.outcome') &&
        unhurried(operation)),
    })
  const schemaToo: Rules = [...rules, 'transport.answers.schema']
  const changes = name === 'code' && field.path.at(-2) === 'status' ? codes : alterations(field)
  const neighbour = all
    .filter((other) => other.path.slice(0, -1).join('.') === field.path.slice(0, -1).join('.'))
    .find((other, at, same) => at > same.indexOf(field) && kindOf(other) === kindOf(field))
  return [
    field.required
      ? made('missing', () => undefined, schemaToo)
      : made(
          'lost',
          present(() => null),
          // Null is no value of the others.
          field.nullable ? rules : schemaToo,
        ),
    ...Object.entries(changes).map(([change, alter]) => made(change, alter)),
    ...(neighbour === undefined || isObject(field) || field.schema['type'] === 'array'
      ? []
      : [
          made(
            `from-${neighbour.path.at(-1)}`,
            present((_value, holder) => holder[neighbour.path.at(-1) ?? '']),
          ),
        ]),
    ...(field.path.length > 1 && !isObject(field) ? sameInEveryRow(operation, field, rules) : []),
  ]
}

/** Every entry of a list shows the value of the first. */
const sameInEveryRow = (operation: OperationId, field: Field, rules: Rules): Generated[] => {
  const [list = '', ...inner] = field.path
  const { schema } = endpoint(operation).answer
  const listed = fieldsOf(schemaOf(schema ?? '') ?? {}).find(({ path }) => path.join('.') === list)
  if (listed?.schema['type'] !== 'array') return []
  // A field that has one value only is the same in every row.
  if ((field.schema['enum'] as readonly unknown[] | undefined)?.length === 1) return []
  return [
    generated(
      'field',
      `${operation}.${field.path.join('.')}.of-first-row`,
      rules,
      bodies([operation], (body: Fields) => {
        let first: unknown
        return {
          [list]: atPath(body[list], inner, (value) => {
            first ??= value
            return first
          }),
        }
      }),
    ),
  ]
}

/** Every field of every answer, wrong in each way that fits its kind. */
export const wrongFields = (): Generated[] =>
  operationIds.flatMap((operation) => {
    if (answerSchema(operation) === undefined || operation === 'transport.openapi') return []
    const all = fieldsOf({ $ref: endpoint(operation).answer.schema ?? '' })
    return all
      .filter(({ path }) => !path.some((name) => notOwn.has(name)))
      .flatMap((field) => yieldFor(operation, field, all))
  })
