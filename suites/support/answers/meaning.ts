import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { addressEnds, spokenFields } from '../../../contract/meaning.ts'
import { schema as schemaOf } from '../../../contract/schemas.ts'
import type { JsonSchema } from '../../../contract/types.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { resolved } from './known-fields.ts'

/**
 * Bodies reduced to what the contract says about them: two responses that state the same are equal in this form,
 * however a service writes them. Only fields that the contract names are kept. Null is the same as absent, instants are
 * in UTC, and lists are sorted: few lists have an order, and checks of those compare it themselves. Texts for people
 * may differ between responses, and so may addresses with their expiry and continuation tokens, of which only the
 * presence is kept.
 */

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const ofText = (text: string, form: JsonSchema | undefined): string => {
  const at = form?.['format'] === 'date-time' ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return new Date(at).toISOString()
  return form?.['format'] === 'uri' ? 'an address' : text
}

/** The name of what a schema describes: its id, or the field that it is in. */
const nameOf = (schema: JsonSchema | undefined, field: string): string => {
  const choices = [schema, ...((schema?.['anyOf'] ?? []) as JsonSchema[])]
  const target = choices.map((one) => one?.['$ref']).find((one) => typeof one === 'string')
  return typeof target === 'string' ? target : field
}

const byText = (a: unknown, b: unknown): number => {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)]
  return one < other ? -1 : one > other ? 1 : 0
}

const ofFields = (value: Fields, properties: Fields, name: string): Fields => {
  const found: Record<string, unknown> = {}
  // In the order of the schema, so that equal values serialize to the same text.
  for (const [field, schema] of Object.entries(properties)) {
    const inner = value[field]
    const path = `${name}.${field}`
    if (inner === undefined || inner === null || spokenFields.has(path)) continue
    if (addressEnds.has(path)) found[field] = 'an end'
    else if (field === 'continuationToken') {
      if (inner !== '') found[field] = 'goes on'
    } else found[field] = meaning(inner, schema as JsonSchema, path)
  }
  return found
}

const meaning = (value: unknown, schema: JsonSchema | undefined, field: string): unknown => {
  const form = resolved(schema, value)
  const name = nameOf(schema, field)
  if (typeof value === 'string') return ofText(value, form)
  if (Array.isArray(value))
    return value
      .map((item) => meaning(item, form?.['items'] as JsonSchema | undefined, `${name}[]`))
      .toSorted(byText)
  const properties = form?.['properties'] as Fields | undefined
  if (!isFields(value) || properties === undefined) return value
  return ofFields(value, properties, name)
}

/** What the answer of an operation states. */
export const meaningOf = (operation: OperationId, body: unknown): unknown => {
  const { schema } = endpoint(operation).answer
  return schema === undefined ? body : meaning(body, { $ref: schema }, schema)
}

/**
 * What a successful answer states.
 * @throws {Inconclusive} when the call failed
 */
export const statedIn = (exchange: Exchange, step: string): unknown => {
  const { operation, body } = expectOk(exchange, step)
  return operation === undefined ? body : meaningOf(operation, body)
}

/** What a row states in the list that an operation answers. */
export const meaningOfRow = (operation: OperationId, list: string, row: unknown): Fields => {
  const { schema = '' } = endpoint(operation).answer
  const properties = schemaOf(schema)?.['properties'] as Readonly<Record<string, JsonSchema>>
  const { items } = properties[list] ?? {}
  return meaning(row, items as JsonSchema | undefined, `${schema}.${list}[]`) as Fields
}
