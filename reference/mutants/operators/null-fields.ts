import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { schema as schemaRow } from '../../../contract/schemas.ts'
import type { Endpoint, JsonSchema } from '../../../contract/types.ts'
import { refuse } from '../../base/refusals.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'

/** Every field of a request that may be null: a careless service takes null for a value. */

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema['anyOf'] ?? [schema]) as readonly JsonSchema[]

const isNull = ({ type }: JsonSchema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null'))

const resolve = (schema: JsonSchema): JsonSchema => {
  const target = schema['$ref']
  return typeof target === 'string' ? resolve(schemaRow(target) ?? {}) : schema
}

/** Values that a schema describes: an object, or the items of a list. */
const nested = (schema: JsonSchema): JsonSchema | undefined => {
  const object = choicesOf(resolve(schema))
    .map(resolve)
    .find((one) => !isNull(one) || 'items' in one)
  const items = object?.['items'] as JsonSchema | undefined
  return items === undefined ? object : resolve(items)
}

/** Paths of the fields that may be null, within what a request has to have or may have with nothing in it. */
const nullable = (schema: JsonSchema, path: readonly string[] = []): (readonly string[])[] => {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).flatMap(([name, inner]) => {
    const here = [...path, name]
    const may = choicesOf(inner).some(isNull)
    const object = nested(inner)
    const isNeeded = required.includes(name)
    const isEmpty = object?.['required'] === undefined && object?.['properties'] !== undefined
    const within =
      object !== undefined && (isNeeded || (may && isEmpty)) ? nullable(object, here) : []
    return may ? [here, ...within] : within
  })
}

const hasNull = (value: unknown, [name, ...rest]: readonly string[]): boolean => {
  if (Array.isArray(value)) return value.some((item) => hasNull(item, [name!, ...rest]))
  if (typeof value !== 'object' || value === null) return false
  const inner = (value as Readonly<Record<string, unknown>>)[name!]
  return rest.length === 0 ? inner === null : hasNull(inner, rest)
}

const refusing =
  (path: readonly string[]): Mutant['call'] =>
  (call, next) => {
    if (hasNull(call.body, path)) throw refuse('invalid-input', `${path.join('.')} is null`)
    return next(call)
  }

/** Fields that the requests of checks always have. */
const given: ReadonlySet<string> = new Set([
  'queries.metadata.dateRange.to',
  'queries.general.dateRange.to',
  'exports.create.filters.dateRange.to',
  'permissions.grantPerson.subjectDetails.personById',
  'permissions.grantIndirect.subjectDetails.personById',
  'permissions.grantIndirect.targetIdentifier',
  'permissions.grantSubunit.subjectDetails.personById',
  'permissions.grantSubunit.subunitName',
  'permissions.grantEuAdministration.subjectDetails.entityByFp',
  'permissions.grantEu.subjectDetails.entityByFp',
  'testdata.blockContext.contextIdentifier',
  'testdata.unblockContext.contextIdentifier',
])

const fieldsOf = (operation: OperationId) =>
  nullable(resolve({ $ref: endpoint(operation).request?.schema ?? '' }))
    .map((path) => ({ path, name: `${operation}.${path.join('.')}` }))
    .filter(({ name }) => !given.has(name))

/** Null refused in every field where it may be. */
export const refusedNulls = (): Generated[] =>
  operationIds
    .filter((operation) => endpoint(operation).request?.schema !== undefined)
    .flatMap((operation) =>
      fieldsOf(operation).map(({ path, name }) =>
        generated('null', `${name}.refused`, ['transport.openapi-agrees'], {
          at: [operation],
          call: refusing(path)!,
        }),
      ),
    )

/** An optional body that is demanded. */
export const demandedBodies = (): Generated[] =>
  operationIds
    .filter((operation) => {
      const row: Endpoint = endpoint(operation)
      return row.request?.optional
    })
    .map((operation) =>
      generated('no-body', `${operation}.refused`, ['transport.openapi-agrees'], {
        at: [operation],
        call(call, next) {
          if (call.bytes.length === 0) throw refuse('unreadable-body')
          return next(call)
        },
      }),
    )
