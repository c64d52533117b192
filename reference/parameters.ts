import { schema as schemaRow } from '../contract/schemas.ts'
import type { JsonSchema, Parameter } from '../contract/types.ts'
import type { Validate, Violation } from './validate.ts'
import type { Wire } from './wire.ts'

/** Query parameters: read by the type of their schema, checked, defaults filled in. */

const typeOf = (schema: JsonSchema): string => {
  const target = typeof schema['$ref'] === 'string' ? schemaRow(schema['$ref']) : schema
  return String(target?.['type'] ?? 'string')
}

const parse = (text: string, type: string): unknown => {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** A reader of the query of one operation. Unknown parameters are ignored. */
export const parametersOf = (
  rows: readonly Parameter[],
  wire: Wire,
  compile: (schema: JsonSchema) => Validate,
): ((search: URLSearchParams) => { query: Record<string, unknown>; violations: Violation[] }) => {
  const readers = rows
    .filter((row) => row.in === 'query')
    .map((row) => ({
      row,
      spelled: wire.fieldName(row.name),
      type: typeOf(row.schema),
      item: typeOf((row.schema['items'] ?? {}) as JsonSchema),
      validate: compile({ type: 'object', properties: { [row.name]: row.schema } }),
    }))
  return (search) => {
    const query: Record<string, unknown> = {}
    const violations: Violation[] = []
    for (const { row, spelled, type, item, validate } of readers) {
      const given = search.getAll(spelled).map((text) => wire.valueOf(row.name, text))
      if (given.length === 0) {
        if (row.required) violations.push({ path: row.name, message: `'${row.name}' is required` })
        else if ('default' in row.schema) query[row.name] = row.schema['default']
        continue
      }
      query[row.name] =
        type === 'array'
          ? given.map((text) => parse(text, item))
          : parse(given[given.length - 1]!, type)
      violations.push(...validate({ [row.name]: query[row.name] }))
    }
    return { query, violations }
  }
}
