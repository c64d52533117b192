import { usageError } from '../io.ts'

/** An OpenAPI document (3.0 or 3.1), flattened so that two of them can be compared field by field. */

export interface Field {
  readonly required: boolean
  readonly type: string
  readonly format: string | undefined
  readonly pattern: string | undefined
  readonly values: readonly unknown[] | undefined
  /** minLength, maxLength, minimum, maximum, minItems, maxItems where they are given. */
  readonly bounds: Readonly<Record<string, number>>
}

interface Body {
  readonly media: string | undefined
  /** Path of a field, `[]` for the items of a list, the empty path for the body itself. */
  readonly fields: ReadonlyMap<string, Field>
}

export interface Described {
  readonly id: string | undefined
  readonly status: string
  readonly bearer: boolean
  readonly parameters: { readonly fields: ReadonlyMap<string, Field> }
  readonly request: Body
  readonly answer: Body
}

type Node = Readonly<Record<string, unknown>>

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/**
 * Every operation of a document by method and path; names in braces do not count.
 * @throws {Explained} when the document is not one of OpenAPI 3
 */
export function readDescription(document: unknown): Map<string, Described> {
  const version = isNode(document) ? document['openapi'] : undefined
  if (!isNode(document) || typeof version !== 'string' || !version.startsWith('3.')) {
    throw usageError(
      `expected an OpenAPI 3 description, received ${typeof version === 'string' ? `OpenAPI ${version}` : 'a document without `openapi`'}`,
    )
  }
  const result = new Map<string, Described>()
  for (const [path, item] of entries(document['paths'])) {
    if (!isNode(item)) continue
    for (const method of methods) {
      const operation = item[method]
      if (!isNode(operation)) continue
      result.set(
        `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`,
        describe(operation, item, document),
      )
    }
  }
  return result
}

function describe(operation: Node, item: Node, document: Node): Described {
  const [status = '', answer] =
    entries(operation['responses']).find(([code]) => code.startsWith('2')) ?? []
  const security = (operation['security'] ?? document['security'] ?? []) as readonly Node[]
  return {
    id: typeof operation['operationId'] === 'string' ? operation['operationId'] : undefined,
    status,
    bearer: security.some((one) => Object.keys(one).length > 0),
    parameters: { fields: readParameters([item, operation], document) },
    request: readBody(operation['requestBody'], document),
    answer: readBody(answer, document),
  }
}

function readParameters(from: readonly Node[], document: Node): Map<string, Field> {
  const fields = new Map<string, Field>()
  for (const given of from.flatMap((node) => (node['parameters'] ?? []) as readonly unknown[])) {
    const parameter = follow(given, document)
    // The path states its parameters; their names do not matter.
    if (parameter['in'] === 'path' || typeof parameter['name'] !== 'string') continue
    readSchema(
      parameter['schema'],
      parameter['name'],
      parameter['required'] === true,
      document,
      fields,
    )
  }
  return fields
}

function readBody(given: unknown, document: Node): Body {
  const fields = new Map<string, Field>()
  const [media, content] = entries(follow(given, document)['content'])[0] ?? []
  // The text of a document of XML or of bytes is not described by a schema.
  if (media?.includes('json') && isNode(content)) {
    readSchema(content['schema'], '', true, document, fields)
  }
  return { media, fields }
}

const boundNames = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']
/** Widths of numbers, which JSON does not know. */
const widths = new Set(['int32', 'int64', 'float', 'double'])

function readSchema(
  given: unknown,
  path: string,
  required: boolean,
  document: Node,
  fields: Map<string, Field>,
  depth = 0,
): void {
  if (depth > 20) return
  const schema = flatten(given, document)
  const format = schema['format']
  fields.set(path, {
    required,
    type: typeOf(schema),
    format: typeof format === 'string' && !widths.has(format) ? format : undefined,
    pattern: typeof schema['pattern'] === 'string' ? schema['pattern'] : undefined,
    values: Array.isArray(schema['enum'])
      ? schema['enum'].filter((value) => value !== null)
      : undefined,
    bounds: Object.fromEntries(
      boundNames.flatMap((name) =>
        typeof schema[name] === 'number' && !isNothing(name, schema[name])
          ? [[name, schema[name]] as const]
          : [],
      ),
    ),
  })
  if ('items' in schema) {
    readSchema(schema['items'], `${path}[]`, true, document, fields, depth + 1)
  }
  const asked = (schema['required'] ?? []) as readonly string[]
  for (const [name, inner] of entries(schema['properties'])) {
    const below = path === '' ? name : `${path}.${name}`
    readSchema(inner, below, asked.includes(name), document, fields, depth + 1)
  }
}

/** Bounds that bound nothing. */
const isNothing = (name: string, value: number): boolean =>
  (name === 'minLength' || name === 'minItems') && value === 0

function typeOf(schema: Node): string {
  const types = (Array.isArray(schema['type']) ? schema['type'] : [schema['type']]).filter(
    (type): type is string => typeof type === 'string' && type !== 'null',
  )
  if (types.length > 0) return types.toSorted().join(' | ')
  if ('properties' in schema) return 'object'
  return 'items' in schema ? 'array' : 'any'
}

/** A schema without references, with the members of its `allOf`, and without the choice of null. */
function flatten(given: unknown, document: Node, depth = 0): Node {
  const { allOf, anyOf, oneOf, ...own } = follow(given, document)
  if (depth > 20) return own
  const choices = ((anyOf ?? oneOf ?? []) as readonly unknown[])
    .map((choice) => flatten(choice, document, depth + 1))
    .filter((choice) => choice['type'] !== 'null')
  const parts = ((allOf ?? []) as readonly unknown[]).map((part) =>
    flatten(part, document, depth + 1),
  )
  if (choices.length === 1 && choices[0] !== undefined) parts.push(choices[0])
  else if (choices.length > 1) parts.push({ type: choices.map(typeOf).join(' | ') })
  let merged: Node = own
  for (const part of parts) merged = merge(part, merged)
  return merged
}

/** Two schemas that both hold; what the second says goes first. */
const merge = (part: Node, over: Node): Node => ({
  ...part,
  ...over,
  ...('properties' in part || 'properties' in over
    ? { properties: { ...(part['properties'] as Node), ...(over['properties'] as Node) } }
    : {}),
  ...('required' in part || 'required' in over
    ? {
        required: [part, over].flatMap((one) => (one['required'] ?? []) as readonly string[]),
      }
    : {}),
})

function follow(given: unknown, document: Node, depth = 0): Node {
  if (!isNode(given)) return {}
  const target = given['$ref']
  if (typeof target !== 'string' || depth > 20) return given
  const found = target
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>(
      (node, name) =>
        isNode(node) ? node[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined,
      document,
    )
  const beside = Object.entries(given).filter(([name]) => name !== '$ref')
  return { ...follow(found, document, depth + 1), ...Object.fromEntries(beside) }
}

const entries = (node: unknown): [string, unknown][] => (isNode(node) ? Object.entries(node) : [])

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
