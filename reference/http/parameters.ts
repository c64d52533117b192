import type { Dialect } from '../../contract/dialect.ts'
import { schema as schemaRow } from '../../contract/schemas.ts'
import type { JsonSchema, Parameter } from '../../contract/types.ts'
import type { Validate, Violation } from './validate.ts'
import type { WireSchemas } from './wire-schemas.ts'

/** Query parameters: read by the type of their schema, checked, defaults filled in. */

const typeOf = (schema: JsonSchema): string => {
  const target = typeof schema['$ref'] === 'string' ? schemaRow(schema['$ref']) : schema
  const type = target?.['type']
  return typeof type === 'string' ? type : 'string'
}

const parse = (text: string, type: string): unknown => {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** The values of a parameter; in a loose dialect its name counts in any case, unless one has the exact spelling. */
const valuesOf = (search: URLSearchParams, name: string, dialect: Dialect): readonly string[] => {
  const exact = search.getAll(name)
  if (exact.length > 0 || search.size === 0 || !dialect.loose) return exact
  const folded = name.toLowerCase()
  return [...search].filter(([other]) => other.toLowerCase() === folded).map(([, value]) => value)
}

/** Reads and checks the query of an operation. */
export type Parameters = (search: URLSearchParams) => {
  readonly query: Record<string, unknown>
  readonly violations: Violation[]
}

/**
 * A reader of the query of one operation. Unknown parameters are ignored.
 * @param requires names of optional parameters that the dialect requires
 * @param compile of schemas in the dialect's words
 * @param wire the schema of a field in the dialect's words
 */
export const parametersOf = (
  rows: readonly Parameter[],
  requires: readonly string[],
  dialect: Dialect,
  compile: (schema: JsonSchema) => Validate,
  wire: WireSchemas['of'],
): Parameters => {
  const readers = rows
    .filter((row) => row.in === 'query')
    .map((row) => ({
      row,
      required: row.required === true || requires.includes(row.name),
      spelled: dialect.fields[row.name] ?? row.name,
      canonical: (text: string) =>
        Object.entries(dialect.values[row.name] ?? {}).find(([, other]) => other === text)?.[0] ??
        text,
      type: typeOf(row.schema),
      item: typeOf((row.schema['items'] ?? {}) as JsonSchema),
      validate: compile({
        type: 'object',
        properties: {
          [dialect.fields[row.name] ?? row.name]: wire(row.schema, row.name),
        },
      }),
    }))
  return (search) => {
    const query: Record<string, unknown> = {}
    const violations: Violation[] = []
    for (const { row, required, spelled, canonical, type, item, validate } of readers) {
      const given = valuesOf(search, spelled, dialect)
      if (given.length === 0) {
        if (required) violations.push({ path: spelled, message: `'${spelled}' is required` })
        else if ('default' in row.schema) query[row.name] = row.schema['default']
        continue
      }
      const read = (values: readonly string[]): unknown =>
        type === 'array'
          ? values.map((text) => parse(text, item))
          : parse(values[values.length - 1]!, type)
      query[row.name] = read(given.map(canonical))
      violations.push(...validate({ [spelled]: read(given) }))
    }
    return { query, violations }
  }
}
