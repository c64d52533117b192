import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { JsonSchema } from '../../../contract/types.ts'
import { resolved } from '../answers/known-fields.ts'

/** Bodies of requests with null in place of what they leave out, wherever the schema permits it. */

type Properties = Readonly<Record<string, JsonSchema>>

const isNull = ({ type }: JsonSchema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null'))

const permitsNull = (schema: JsonSchema): boolean =>
  isNull(schema) || ((schema['anyOf'] ?? []) as readonly JsonSchema[]).some(isNull)

const propertiesOf = (schema: JsonSchema | undefined, value: unknown): Properties =>
  (resolved(schema, value)?.['properties'] ?? {}) as Properties

/** An object of nulls, down to a depth, if none of its fields is required; otherwise null. */
const emptied = (schema: JsonSchema, depth: number): unknown => {
  const properties = Object.entries(propertiesOf(schema, {}))
  const { required = [] } = (resolved(schema, {}) ?? {}) as {
    readonly required?: readonly unknown[]
  }
  return depth === 0 || properties.length === 0 || required.length > 0
    ? null
    : Object.fromEntries(properties.map(([name, inner]) => [name, emptied(inner, depth - 1)]))
}

type Filler = (schema: JsonSchema) => unknown

const filled = (value: unknown, schema: JsonSchema | undefined, fill: Filler): unknown => {
  if (Array.isArray(value)) {
    const items = resolved(schema, value)?.['items'] as JsonSchema | undefined
    return value.map((item) => filled(item, items, fill))
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = propertiesOf(schema, value)
  const given = value as Readonly<Record<string, unknown>>
  const absent = Object.entries(properties).filter(
    ([name, inner]) => given[name] === undefined && permitsNull(inner),
  )
  return {
    ...Object.fromEntries(absent.map(([name, inner]) => [name, fill(inner)])),
    ...Object.fromEntries(
      Object.entries(given).map(([name, inner]) => [name, filled(inner, properties[name], fill)]),
    ),
  }
}

const schemaOf = (operation: OperationId): JsonSchema => ({
  $ref: endpoint(operation).request?.schema ?? '',
})

/** How deeply objects of nothing but nulls are nested. */
const deepest = 2

/**
 * A body with null for each field that it leaves out, then with objects of nulls in their place, as far as these bodies
 * differ.
 */
export const withNulls = (operation: OperationId, body: unknown): readonly unknown[] => {
  const bodies = Array.from({ length: deepest + 1 }, (_, depth) =>
    filled(body, schemaOf(operation), (inner) => emptied(inner, depth)),
  )
  const texts = bodies.map((one) => JSON.stringify(one))
  return bodies.filter((_, at) => texts.indexOf(texts[at]!) === at)
}

const hasNullable = (schema: JsonSchema, seen: readonly unknown[] = []): boolean => {
  const target = schema['$ref']
  if (target !== undefined && seen.includes(target)) return false
  const items = resolved(schema, [])?.['items'] as JsonSchema | undefined
  if (items !== undefined) return hasNullable(items, [...seen, target])
  return Object.values(propertiesOf(schema, {})).some(
    (inner) => permitsNull(inner) || hasNullable(inner, [...seen, target]),
  )
}

/** Whether a request of the operation has a field that may be null. */
export const takesNull = (operation: OperationId): boolean =>
  endpoint(operation).request?.schema !== undefined && hasNullable(schemaOf(operation))
