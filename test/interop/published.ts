import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import type { ErrorObject, ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { publishedFolder } from '../../lib/node/published.ts'
import type { Passed } from './tap.ts'

/** Judges exchanges by a published OpenAPI 3.0 description: requests as well as answers, field by field. */

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
  readonly required?: boolean
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: { readonly type?: string }
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}
interface Description {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The description of API 2.7.0. */
export const publishedFile = path.join(publishedFolder, 'openapi-2.7.0.json')
export const published = existsSync(publishedFile)

const mediaOf = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const pointer = (...steps: readonly string[]): string =>
  steps
    .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')

const inWords = ({ instancePath, message, params, keyword }: ErrorObject): string =>
  `${instancePath || 'the body'} ${message ?? keyword} ${JSON.stringify(params)}`

// Parameters are text on the wire; their type says how to read them.
const valueOf = (given: readonly string[], type: string | undefined): unknown => {
  const [text = ''] = given
  if (type === 'array') return given
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? +text : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

export interface PublishedJudge {
  /** Whether the description has the operation; addresses that answers hand out are not described. */
  describes(exchange: Passed): boolean
  violations(exchange: Passed): string[]
}

// OpenAPI 3.0 has `nullable` beside references and enumerations, which JSON Schema does not know.
const asJsonSchema = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(asJsonSchema)
  if (typeof node !== 'object' || node === null) return node
  const { nullable, ...rest } = node as Record<string, unknown>
  const plain = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, asJsonSchema(inner)]),
  )
  // Fields that are not published are a violation too: no client may come to rely on them.
  const closed =
    'properties' in plain && !('additionalProperties' in plain)
      ? { ...plain, additionalProperties: false }
      : plain
  return nullable === true ? { anyOf: [{ type: 'null' }, closed] } : closed
}

/** A judge by the published description. */
export const publishedJudge = (): PublishedJudge => {
  const document = asJsonSchema(JSON.parse(readFileSync(publishedFile, 'utf8'))) as Description
  const prefix = new URL(document.servers[0]?.url ?? '').pathname
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'published')
  const compiled = new Map<string, ValidateFunction>()
  const check = (value: unknown, ...steps: readonly string[]): string[] => {
    const place = `published#/${pointer(...steps)}`
    const validate = compiled.get(place) ?? ajv.compile({ $ref: place })
    compiled.set(place, validate)
    return validate(value) ? [] : (validate.errors ?? []).map(inWords)
  }

  const find = ({ method, url }: Passed) => {
    const { pathname } = new URL(url, 'http://localhost')
    const fitting = Object.keys(document.paths)
      .filter((template) =>
        new RegExp(`^${prefix}${template.replace(/\{[^}]*\}/g, '[^/]+')}$`).test(pathname),
      )
      // The one with the fewest parameters is the most specific.
      .toSorted((a, b) => a.split('{').length - b.split('{').length)
    const verb = method.toLowerCase()
    const template = fitting.find((one) => document.paths[one]?.[verb] !== undefined)
    const operation = template === undefined ? undefined : document.paths[template]?.[verb]
    return template === undefined || operation === undefined
      ? undefined
      : { template, verb, operation }
  }

  const body = (
    described: Body | undefined,
    headers: Readonly<Record<string, string>>,
    bytes: Buffer,
    ...place: readonly string[]
  ): string[] => {
    const content = described?.content ?? {}
    if (bytes.length === 0) {
      return described?.required === true ? ['a body is required'] : []
    }
    const media = mediaOf(headers)
    if (content[media] === undefined) {
      return [`${media || 'no media type'} is not one of ${Object.keys(content).join(', ')}`]
    }
    if (!media.endsWith('json') || content[media].schema === undefined) return []
    return check(JSON.parse(bytes.toString('utf8')), ...place, 'content', media, 'schema')
  }

  return {
    describes: (exchange) => find(exchange) !== undefined,
    violations(exchange) {
      const found = find(exchange)
      const called = `${exchange.method} ${exchange.url}`
      if (found === undefined) return [`${called}: no such operation is published`]
      const { template, verb, operation } = found
      const place = ['paths', template, verb]
      const { searchParams } = new URL(exchange.url, 'http://localhost')
      const names = new Set(operation.parameters?.map(({ name }) => name))
      const parameters = (operation.parameters ?? []).flatMap((row, at) => {
        if (row.in === 'path') return []
        const given =
          row.in === 'query'
            ? searchParams.getAll(row.name)
            : [exchange.requestHeaders[row.name.toLowerCase()] ?? []].flat()
        if (given.length === 0) return row.required === true ? [`${row.name} is required`] : []
        const value = valueOf(given, row.schema?.type)
        return check(value, ...place, 'parameters', String(at), 'schema').map(
          (fault) => `${row.name} ${fault}`,
        )
      })
      const unknown = [...searchParams.keys()].filter((name) => !names.has(name))
      const { requestBody, responses } = operation
      const answer = responses[exchange.status]
      return [
        ...parameters,
        ...unknown.map((name) => `the parameter ${name} is not published`),
        ...body(
          requestBody,
          exchange.requestHeaders,
          exchange.requestBody,
          ...place,
          'requestBody',
        ).map((fault) => `request: ${fault}`),
        ...(answer === undefined
          ? ['this status is not published']
          : body(
              answer,
              exchange.headers,
              exchange.body,
              ...place,
              'responses',
              String(exchange.status),
            )),
      ].map((fault) => `${called} (${exchange.status}): ${fault}`)
    },
  }
}
