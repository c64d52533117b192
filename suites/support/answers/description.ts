import { wireOperation } from '../../../lib/wire.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Dialect } from '../../../contract/dialect.ts'
import type { Client } from '../../../lib/client.ts'
import { expectObject } from '../../../lib/outcome.ts'

/** The description that the service serves of itself. */

interface Described {
  readonly parameters?: readonly object[]
  readonly responses?: Readonly<Record<string, { readonly content?: object }>>
}

export interface Description {
  readonly openapi?: string
  readonly servers?: readonly { readonly url: string }[]
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

/** @throws {Inconclusive} where the service gives none */
export const fetchDescription = async (api: Client): Promise<Description> =>
  expectObject(await api.call('transport.openapi'), 'fetch the description')

/** Names of path parameters do not matter: braces are compared by position. */
const shape = (path: string): string => path.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '')

/** Where an operation is described, and how. */
export const described = (
  { paths = {} }: Description,
  method: string,
  path: string,
  prefix: string,
) => {
  const wanted = new Set([shape(path), shape(prefix + path)])
  const place = Object.keys(paths).find((key) => wanted.has(shape(key)))
  const row = place === undefined ? undefined : paths[place]?.[method.toLowerCase()]
  return place === undefined || row === undefined ? undefined : { place, row }
}

type Row = Readonly<Record<string, unknown>>

/** What a reference within the description names; anything else as it is. */
const resolved = (description: Description, given: unknown): Row => {
  const row = Object(given) as Row
  const target = row['$ref']
  if (typeof target !== 'string') return row
  const steps = target.split('/').slice(1)
  const found = steps.reduce<unknown>(
    (inner, step) => (Object(inner) as Row)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    description,
  )
  return found === undefined ? {} : resolved(description, found)
}

/** A value of a query parameter that the description allows in so many words. */
export interface StatedValue {
  readonly name: string
  readonly value: string | number
}

const valuesOf = (schema: Row): readonly (string | number)[] => {
  const bounds = [schema['minimum'], schema['maximum']].filter((value) => typeof value === 'number')
  const words = Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : []
  return [...bounds, ...words.filter((word) => typeof word === 'string')]
}

/** Bounds of numbers and words of enumerations, of every query parameter of an operation. */
export const statedValues = (
  description: Description,
  operation: OperationId,
  dialect: Dialect,
): readonly StatedValue[] => {
  const { method, path } = wireOperation(operation, dialect)
  const { place = '', row } = described(description, method, path, dialect.prefix) ?? {}
  const shared = (description.paths?.[place] as Described | undefined)?.parameters ?? []
  return [...shared, ...(row?.parameters ?? [])].flatMap((given) => {
    const parameter = resolved(description, given)
    const schema = resolved(description, parameter['schema'])
    const items = resolved(description, schema['items'])
    if (parameter['in'] !== 'query') return []
    return [...valuesOf(schema), ...valuesOf(items)].map((value) => ({
      name: String(parameter['name']),
      value,
    }))
  })
}
