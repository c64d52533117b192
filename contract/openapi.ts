import type { Dialect, ErrorShape, OperationForm } from './dialect.ts'
import { endpoint, operationIds } from './endpoints.ts'
import type { OperationId } from './endpoints.ts'
import { refusal } from './errors.ts'
import type { RefusalId } from './errors.ts'
import { areas, areaTitles } from './types.ts'
import type { Bearer, Endpoint, JsonSchema } from './types.ts'
import { wireSchema, wireSchemas } from './wire-schemas.ts'

/** The one function of the contract: its rows, in a dialect's words, as an OpenAPI 3.1 document. */

type Present = Exclude<OperationForm, { readonly absent: string }>
type Document = Record<string, unknown>

const schemesOf: Readonly<Record<Bearer, readonly string[]>> = {
  none: [],
  link: [],
  authentication: ['authenticationToken'],
  access: ['accessToken'],
  refresh: ['refreshToken'],
  'refresh-or-access': ['refreshToken', 'accessToken'],
}

/** Schemas of path parameters; plain text where there is none. */
const pathSchemas: Readonly<Record<string, JsonSchema>> = {
  referenceNumber: { $ref: 'ReferenceNumber' },
  invoiceReferenceNumber: { $ref: 'ReferenceNumber' },
  upoReferenceNumber: { $ref: 'ReferenceNumber' },
  svcNumber: { $ref: 'SvcNumber' },
  permissionId: { $ref: 'PermissionId' },
  certificateSerialNumber: { $ref: 'CertificateSerialNumber' },
  serialNumber: { $ref: 'CertificateSerialNumber' },
}

const titles: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted, to be processed',
  204: 'Done, nothing to answer',
  400: 'Mistake in the request',
  401: 'Bearer missing, invalid or of the wrong kind',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'No longer kept',
  413: 'Too large',
  415: 'Media type not supported',
  429: 'Too many requests',
}

/** An operation as a dialect has it; undefined where the dialect does not have it. */
function formed(id: OperationId, dialect: Dialect): { row: Endpoint; form: Present } | undefined {
  const form = dialect.operations[id]
  if (form !== undefined && 'absent' in form) return undefined
  return { row: endpoint(id), form: form ?? {} }
}

/**
 * The interface as an OpenAPI 3.1 document. Addresses that the service itself hands out as signed links are left out.
 * @param dialect whose words, paths and limits the document has
 * @param server base address without the version prefix; relative when absent
 */
export function openapi(dialect: Dialect, server = ''): Document {
  const paths: Record<string, Document> = {}
  for (const id of operationIds) {
    const found = formed(id, dialect)
    if (found === undefined) continue
    const { row, form } = found
    if ((form.bearer ?? row.bearer) === 'link') continue
    const path = spellNames(form.path ?? spellWords(row.path, dialect), dialect)
    const item = (paths[path] ??= {})
    item[(form.method ?? row.method).toLowerCase()] = operation(id, row, form, path, dialect)
    if (form.atOrigin ?? row.atOrigin ?? false) {
      item['servers'] = [{ url: server + dialect.prefix }, { url: server === '' ? '/' : server }]
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Electronic invoice clearing service',
      version: '2',
      description: `Generated from the contract: ${dialect.summary}.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server + dialect.prefix }],
    tags: areas
      .filter((area) => operationIds.some((id) => id.startsWith(`${area}.`)))
      .map((name) => ({ name, description: areaTitles[name] })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        ['authenticationToken', 'accessToken', 'refreshToken'].map((name) => [
          name,
          { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        ]),
      ),
      schemas: used(paths, {
        ...Object.fromEntries(
          Object.entries(wireSchemas(dialect)).map(([id, schema]) => [id, refer(schema)]),
        ),
        ...Object.fromEntries(
          dialect.errorShapes.map((shape) => [shapeName(shape), templateSchema(shape.template)]),
        ),
      }),
    },
  }
}

function operation(
  id: OperationId,
  row: Endpoint,
  form: Present,
  path: string,
  dialect: Dialect,
): Document {
  const bearer = form.bearer ?? row.bearer
  const status = form.status ?? row.answer.status
  const parameters = [...pathParameters(path, dialect), ...otherParameters(row, form, dialect)]
  const aliases =
    form.aliases ??
    (form.path === undefined ? row.aliases?.map((one) => spellWords(one, dialect)) : undefined)
  return {
    operationId: id,
    summary: row.summary,
    tags: [id.slice(0, id.indexOf('.'))],
    security: schemesOf[bearer].map((name) => ({ [name]: [] })),
    ...((form.permissions ?? row.permissions)
      ? { 'x-required-permissions': form.permissions ?? row.permissions }
      : {}),
    ...(aliases && aliases.length > 0
      ? { 'x-aliases': aliases.map((one) => spellNames(one, dialect)) }
      : {}),
    'x-rate-rule': form.rate ?? row.rate,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.request
      ? {
          requestBody: {
            required: row.request.optional !== true,
            content: { [row.request.media]: content(row.request.schema) },
          },
        }
      : {}),
    responses: {
      [status]: {
        description: titles[status] ?? 'Done',
        ...(row.answer.media
          ? { content: { [row.answer.media]: content(row.answer.schema) } }
          : {}),
      },
      ...errors(row, bearer, form.rate ?? row.rate, dialect),
    },
  }
}

/** A body: of a schema, or raw. */
const content = (schema: string | undefined): Document => ({
  schema: schema === undefined ? { type: 'string' } : refer({ $ref: schema }),
})

function pathParameters(path: string, dialect: Dialect): Document[] {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '')
  const canonical = new Map(Object.entries(dialect.fields).map(([name, wire]) => [wire, name]))
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: refer(pathSchemas[canonical.get(name) ?? name] ?? { type: 'string' }),
  }))
}

const otherParameters = (row: Endpoint, form: Present, dialect: Dialect): Document[] =>
  (row.parameters ?? []).map(({ name, in: place, required, schema }) => ({
    name: place === 'header' ? spellWords(name, dialect) : (dialect.fields[name] ?? name),
    in: place,
    ...(required || form.requires?.includes(name) ? { required: true } : {}),
    schema: refer(wireSchema(schema, name, dialect)),
  }))

/** The statuses that refusals of an operation are answered with, each with every shape that it may have. */
function errors(row: Endpoint, bearer: Bearer, rate: string, dialect: Dialect): Document {
  const statuses = new Set([400])
  if (bearer !== 'none') statuses.add(401).add(403)
  if (rate !== 'unlimited') statuses.add(429)
  const refused: RefusalId[] = [...((row.refusals ?? []) as readonly RefusalId[])]
  if (row.request !== undefined) refused.push('media-type', 'body-too-large')
  for (const id of refused) {
    const answer = dialect.refusals[id]?.answer ?? refusal(id).answer
    if (answer?.statuses[0] !== undefined) statuses.add(answer.statuses[0])
  }
  return Object.fromEntries(
    [...statuses]
      .toSorted((a, b) => a - b)
      .map((status) => [
        String(status),
        {
          description: titles[status] ?? 'Refused',
          ...(status === 429
            ? {
                headers: {
                  'Retry-After': {
                    description: 'Seconds to wait',
                    schema: { type: 'integer', minimum: 1 },
                  },
                },
              }
            : {}),
          content: shapesFor(status, dialect),
        },
      ]),
  )
}

function shapesFor(status: number, dialect: Dialect): Document {
  const result: Document = {}
  for (const asked of [undefined, ...dialect.errorShapes.map((shape) => shape.asked)]) {
    const shape = dialect.errorShapes.find(
      (one) =>
        (one.statuses === undefined || one.statuses.includes(status)) &&
        (one.asked === undefined || one.asked === asked),
    )
    if (shape !== undefined) result[shape.media] ??= content(shapeName(shape))
  }
  return result
}

const shapeName = (shape: ErrorShape): string =>
  ['Error', ...(shape.statuses ?? []), ...(shape.asked === undefined ? [] : ['Asked'])].join('')

const always = new Set(['$code', '$description', '$status', '$title', '$timestamp', '$reasonCode'])

function templateSchema(template: unknown): JsonSchema {
  if (template === '$code' || template === '$status') return { type: 'integer' }
  if (template === '$details') return { type: ['array', 'null'], items: { type: 'string' } }
  if (template === '$timestamp') return { type: 'string', format: 'date-time' }
  if (template === '$security') return { type: ['object', 'null'] }
  if (typeof template === 'string') return { type: 'string' }
  if (Array.isArray(template)) return { type: 'array', items: templateSchema(template[0]) }
  if (typeof template !== 'object' || template === null) return {}
  const required = Object.entries(template).filter(
    ([, inner]) => typeof inner === 'object' || always.has(String(inner)),
  )
  return {
    type: 'object',
    required: required.map(([name]) => name),
    properties: Object.fromEntries(
      Object.entries(template).map(([name, inner]) => [name, templateSchema(inner)]),
    ),
  }
}

const prefix = '#/components/schemas/'

/** Turns the ids in `$ref` into references within the document. */
function refer(schema: JsonSchema): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === '$ref' ? prefix + String(inner) : name === 'examples' ? inner : walk(inner),
      ]),
    )
  }
  return walk(schema) as JsonSchema
}

/** The schemas that the paths reach, in their order. */
function used(paths: Document, all: Readonly<Record<string, JsonSchema>>): Document {
  const reached = new Set<string>()
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (name !== '$ref' || typeof inner !== 'string') walk(inner)
      else if (!reached.has(inner.slice(prefix.length))) {
        reached.add(inner.slice(prefix.length))
        walk(all[inner.slice(prefix.length)])
      }
    }
  }
  walk(paths)
  return Object.fromEntries(Object.entries(all).filter(([id]) => reached.has(id)))
}

/** Replaces the words of the service's own name; names in braces stay. */
const spellWords = (text: string, dialect: Dialect): string =>
  text
    .split(/(\{[^}]*\})/)
    .map((piece) =>
      piece.startsWith('{')
        ? piece
        : piece
            .split(/([^A-Za-z0-9]+)/)
            .map((word) => dialect.words[word] ?? word)
            .join(''),
    )
    .join('')

const spellNames = (path: string, dialect: Dialect): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => `{${dialect.fields[name] ?? name}}`)
