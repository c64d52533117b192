import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { schema as schemaRow } from '../../../contract/schemas.ts'
import type { JsonSchema } from '../../../contract/types.ts'
import { resolved } from '../answers/known-fields.ts'

/** Bodies of requests with another text wherever their schema takes any text of some length. */

const narrowing = ['pattern', 'format', 'enum', 'const'] as const

/** Whether a schema takes any text of some length. */
export const isFree = (schema: JsonSchema): boolean =>
  schema['type'] === 'string' && narrowing.every((keyword) => schema[keyword] === undefined)

const rewritten = (value: unknown, schema: JsonSchema | undefined, text: string): unknown => {
  const here = resolved(schema, value)
  if (here === undefined) return value
  if (typeof value === 'string') return isFree(here) ? text : value
  if (Array.isArray(value))
    return value.map((item) => rewritten(item, here['items'] as JsonSchema | undefined, text))
  if (typeof value !== 'object' || value === null) return value
  const properties = (here['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, rewritten(inner, properties[name], text)]),
  )
}

/** A body of an operation with a text in all such places. */
export const withText = (operation: OperationId, body: unknown, text: string): unknown =>
  rewritten(body, { $ref: endpoint(operation).request?.schema ?? '' }, text)

/** Whether the example of the request of an operation has such a place. */
export const takesText = (operation: OperationId): boolean => {
  const { schema = '' } = endpoint(operation).request ?? {}
  const [example] = (schemaRow(schema)?.['examples'] ?? []) as readonly unknown[]
  const text = 'another text'
  return JSON.stringify(withText(operation, example, text))?.includes(text) ?? false
}
