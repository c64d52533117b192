import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { schema as schemaOf } from '../../../contract/schemas.ts'
import type { JsonSchema } from '../../../contract/types.ts'
import type { AnyCall } from '../../call/call.ts'
import { refuse } from '../../base/refusals.ts'
import type { Mutant } from '../mutant.ts'
import { calls } from '../rewrite.ts'
import type { Fields } from '../rewrite.ts'
import { fieldsOf } from './fields.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Filters that are ignored: alone, beside another, by one of their ends, or where they are false. */

export interface Filter {
  /** Where it is given. */
  readonly in: 'query' | 'body'
  readonly path: readonly string[]
  readonly schema: JsonSchema
  readonly required: boolean
}

/** The lists, with the rule that their filters keep. */
export const filtered: Partial<Record<OperationId, Rules>> = {
  'queries.metadata': ['queries.metadata.filters'],
  'queries.general': ['queries.general.date-range', 'queries.metadata.filters'],
  'exports.create': ['exports.package.content'],
  'sessions.list': ['sessions.list.complete'],
  'tokens.list': ['tokens.list.narrowed'],
  'certificates.query': ['certificates.listed'],
  ...Object.fromEntries(
    operationIds
      .filter((id) => id.startsWith('permissions.query'))
      .map((id) => [id, ['permissions.query.narrowed']]),
  ),
}

/** Filters of single fields that have a rule of their own. */
const rulesOf = (operation: OperationId, { path }: Filter, rules: Rules): Rules => {
  const [, , last] = path[0] === 'filters' ? path : ['', ...path]
  if (path.includes('subjectType')) return ['queries.metadata.subject-type', ...rules]
  if (path.includes('dateRange'))
    return last === 'restrictToPermanentStorageHwmDate'
      ? ['queries.metadata.paging', ...rules]
      : ['queries.metadata.date-type', 'queries.metadata.date-bounds', ...rules]
  if (path[0] === 'queryType') return ['permissions.query.scope', ...rules]
  if (operation === 'queries.metadata' && path.includes('amount'))
    return ['queries.metadata.filters']
  return rules
}

const paging = new Set(['pageSize', 'pageOffset', 'x-continuation-token', 'sortOrder'])

/** Every filter of an operation: parameters of its query, and fields of its body. */
export const filtersOf = (operation: OperationId): readonly Filter[] => {
  const { request, parameters = [] } = endpoint(operation)
  const body = request?.schema === undefined ? undefined : schemaOf(request.schema)
  const root = operation === 'exports.create' ? ['filters'] : []
  const query = operation === 'exports.create' ? schemaOf('MetadataQuery') : body
  return [
    ...parameters
      .filter(({ name }) => !paging.has(name))
      .map(({ name, schema, required = false }) => ({
        in: 'query' as const,
        path: [name],
        schema,
        required,
      })),
    ...fieldsOf(query ?? {}).map(({ path, schema, required }) => ({
      in: 'body' as const,
      path: [...root, ...path],
      schema,
      required,
    })),
  ]
}

const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Fields | null | undefined)?.[name], body)

const textAt = (entry: unknown, path: readonly string[]): string => {
  const value = valueAt(entry, path)
  return typeof value === 'string' ? value : ''
}

export const isGiven = (call: AnyCall, filter: Filter): boolean => {
  const value = valueAt(filter.in === 'query' ? call.query : call.body, filter.path)
  return value !== undefined && value !== null
}

const replaced = (
  body: unknown,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Fields => {
  const fields = (body ?? {}) as Fields
  return { ...fields, [name]: rest.length === 0 ? value : replaced(fields[name], rest, value) }
}

/** A call with another value of a filter. */
export const changed = (call: AnyCall, filter: Filter, value: unknown): AnyCall =>
  filter.in === 'query'
    ? { ...call, query: replaced(call.query, filter.path, value) }
    : { ...call, body: replaced(call.body, filter.path, value) }

/** The field in the entries of a list that a filter applies to. */
const shownAs: Readonly<Record<string, string>> = {
  svcNumber: 'svcNumber',
  invoiceNumber: 'invoiceNumber',
  sellerNip: 'seller.nip',
  'buyerIdentifier.value': 'buyer.identifier.value',
  description: 'description',
  authorIdentifier: 'authorIdentifier.value',
  referenceNumber: 'referenceNumber',
  name: 'name',
  certificateSerialNumber: 'certificateSerialNumber',
  'authorizedIdentifier.value': 'authorizedIdentifier.value',
  'contextIdentifier.value': 'contextIdentifier.value',
  vatUeIdentifier: 'vatUeIdentifier',
  authorizedFingerprintIdentifier: 'authorizedFingerprintIdentifier',
}

/** A text that is looked for within the value, or at its beginning, instead of as the whole of it. */
const loosely = (
  operation: OperationId,
  filter: Filter,
  shown: string,
  matches: (value: string, asked: string) => boolean,
): Mutant => ({
  at: [operation],
  async call(call, next) {
    const asked = valueAt(filter.in === 'query' ? call.query : call.body, filter.path)
    if (typeof asked !== 'string') return next(call)
    const answer = await next(changed(call, filter, undefined))
    const body = answer.body as Fields
    const [list, entries] = Object.entries(body).find(([, value]) => Array.isArray(value)) ?? []
    if (list === undefined) return answer
    const kept = (entries as readonly unknown[]).filter((entry) =>
      matches(textAt(entry, shown.split('.')), asked),
    )
    return { ...answer, body: { ...body, [list]: kept } }
  },
})

/** Lists whose filters are wrong in pairs too. */
const inPairs = new Set<OperationId>([
  'queries.metadata',
  'exports.create',
  'sessions.list',
  'tokens.list',
  'certificates.query',
  ...operationIds.filter((id) => id.startsWith('permissions.query')),
])

type Mutants = Readonly<Record<string, Mutant>>

/** The value of a filter in a call. */
export const valueOf = (call: AnyCall, filter: Filter): unknown =>
  valueAt(filter.in === 'query' ? call.query : call.body, filter.path)

/** A filter that is not seen in some calls. */
const dropped = (
  operation: OperationId,
  filter: Filter,
  when: (call: AnyCall) => boolean,
): Mutant =>
  calls([operation], (call) =>
    isGiven(call, filter) && when(call) ? changed(call, filter, undefined) : call,
  )

/** A filter that is ignored always, beside any other and beside each other one, or refused. */
const ignored = (operation: OperationId, filter: Filter, all: readonly Filter[]): Mutants => {
  const depth = filter.path[0] === 'filters' ? 2 : 1
  const name = filter.path[depth - 1]
  const others = all.filter(({ path, required }) => path[depth - 1] !== name && !required)
  const isLeaf = filter.schema['type'] !== 'object'
  const pairs = inPairs.has(operation) && filter.path.length === depth ? others : []
  return {
    ignored: dropped(operation, filter, () => true),
    ...(isLeaf &&
      others.length > 0 && {
        'ignored-beside-others': dropped(operation, filter, (call) =>
          others.some((one) => isGiven(call, one)),
        ),
      }),
    ...Object.fromEntries(
      pairs
        .filter(({ path }) => path.length === depth)
        .map((other) => [
          `ignored-beside-${other.path.at(-1)}`,
          dropped(operation, filter, (call) => isGiven(call, other)),
        ]),
    ),
    refused: {
      at: [operation],
      call(call, next) {
        if (isGiven(call, filter)) throw refuse('invalid-input')
        return next(call)
      },
    },
  }
}

/** A filter of which some values are taken for others. */
const misread = (operation: OperationId, filter: Filter): Mutants => {
  const { type, enum: choices } = filter.schema
  const shown = shownAs[filter.path.filter((name) => name !== 'filters').join('.')]
  const isText = type === 'string' && choices === undefined && operation !== 'exports.create'
  return {
    ...(type === 'boolean' && {
      'false-is-absent': dropped(operation, filter, (call) => valueOf(call, filter) === false),
    }),
    ...(type === 'array' && {
      'first-value-only': calls([operation], (call) => {
        const values = valueOf(call, filter)
        return Array.isArray(values) ? changed(call, filter, values.slice(0, 1)) : call
      }),
    }),
    ...(shown !== undefined &&
      isText && {
        within: loosely(operation, filter, shown, (value, asked) => value.includes(asked)),
        beginning: loosely(operation, filter, shown, (value, asked) => value.startsWith(asked)),
        caseless: loosely(
          operation,
          filter,
          shown,
          (value, asked) => value.toLowerCase() === asked.toLowerCase(),
        ),
      }),
  }
}

const yieldFor = (
  operation: OperationId,
  filter: Filter,
  all: readonly Filter[],
  listRules: Rules,
): Generated[] => {
  const rules = rulesOf(operation, filter, listRules)
  // A filter that has one value only excludes nothing.
  const { enum: values } = filter.schema
  const excludes = !Array.isArray(values) || values.length > 1
  const { refused, ...ignores } = ignored(operation, filter, all)
  const mutants = {
    ...(filter.required ? {} : { ...(excludes ? ignores : {}), refused }),
    ...misread(operation, filter),
  }
  return Object.entries(mutants).map(([change, mutant]) =>
    generated('filter', `${operation}.${filter.path.join('.')}.${change}`, rules, mutant),
  )
}

/** Every filter of every list, search and export. */
export const ignoredFilters = (): Generated[] =>
  operationIds.flatMap((operation) => {
    const rules = filtered[operation]
    if (rules === undefined) return []
    const all = filtersOf(operation)
    return all.flatMap((filter) => yieldFor(operation, filter, all, rules))
  })
