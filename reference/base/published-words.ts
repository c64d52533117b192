import { lifecycles } from '../../contract/lifecycles.ts'

/**
 * The words of a published description (OpenAPI 3): descriptions of statuses and refusals, as its tables and examples
 * have them. They are read when the service starts and are nowhere in this project.
 */

/** What a table says of a code. */
interface Row {
  readonly code: number
  readonly description: string
  /** Absent where there is none, or where it has placeholders that only the other service can fill. */
  readonly detail?: string
  /** Which kind of session the table is about, where it says so. */
  readonly about?: 'batchSession' | 'onlineSession'
}

export interface Words {
  readonly description: string
  readonly detail?: string
}

export interface PublishedWords {
  /** How many statuses and refusals have words. */
  readonly size: number
  /** A refusal with this code by an operation at a path. */
  refusal(path: string, code: number): Words | undefined
  /** A status in an answer; \`ours\` is its description in our words, which tells kinds of sessions apart. */
  status(method: string, path: string, code: number, ours: string): Words | undefined
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (node: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isNode(inner) ? inner[name] : undefined), node)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A cell of a table as plain text; undefined for a dash or nothing. */
const cell = (value: string | undefined): string | undefined => {
  const plain = (value ?? '').replace(/<[^>]*>|[*`]/g, '').trim()
  return plain === '' || plain === '-' ? undefined : plain
}

/** The rows of every table of codes in a text. */
const rowsOf = (markdown: string): readonly Row[] => {
  let about: Row['about']
  return markdown.split('\n').flatMap((line): readonly Row[] => {
    const cells = line.trim().split('|')
    if (cells.length < 4) {
      if (/wsadow|batch/i.test(line)) about = 'batchSession'
      else if (/interaktywn|online|interactive/i.test(line)) about = 'onlineSession'
      return []
    }
    const code = Number(cells[1]?.trim())
    const description = cell(cells[2])
    if (!Number.isInteger(code) || code === 0 || description === undefined) return []
    const detail = cell(cells[3])
    return [
      {
        code,
        description: description.replaceAll(/\{\w*[sS]tatusCode\w*\}/g, String(code)),
        ...(detail === undefined || detail.includes('{') ? {} : { detail }),
        ...(about === undefined ? {} : { about }),
      },
    ]
  })
}

/** The words of the rows for one code: a detail only where there is a single one. */
const wordsIn = (rows: readonly Row[]): Words | undefined => {
  const [first] = rows
  if (first === undefined) return undefined
  const details = new Set(rows.map(({ detail }) => detail))
  const [detail] = details.size === 1 ? details : []
  return { description: first.description, ...(detail === undefined ? {} : { detail }) }
}

/** Tables beside properties called \`status\`, wherever a schema reaches them. */
const statusRows = (document: Node, schema: unknown, depth = 0): readonly Row[] => {
  if (!isNode(schema) || depth > 8) return []
  const { $ref: reference } = schema
  if (typeof reference === 'string')
    return statusRows(document, at(document, ...reference.replace('#/', '').split('/')), depth + 1)
  const properties = isNode(schema['properties']) ? Object.entries(schema['properties']) : []
  return [
    ...properties.flatMap(([name, inner]) => [
      ...(name === 'status' ? rowsOf(text(at(inner, 'description'))) : []),
      ...statusRows(document, inner, depth + 1),
    ]),
    ...statusRows(document, schema['items'], depth + 1),
    ...[schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
      Array.isArray(list) ? list.flatMap((one) => statusRows(document, one, depth + 1)) : [],
    ),
  ]
}

/** A template of a path without the names of its parameters. */
const shape = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

const matcher = (path: string): RegExp =>
  new RegExp(
    `^${shape(path)
      .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('{}', '[^/]+')}$`,
  )

const exampleDetail = (response: unknown): string =>
  text(at(response, 'content', 'application/problem+json', 'example', 'detail'))

/** Lifecycles whose states have this name: sessions of both kinds share some. */
const lifecyclesOf = (code: number, name: string): readonly string[] =>
  Object.entries(lifecycles)
    .filter(([, states]) => states.some((state) => state.code === code && state.name === name))
    .map(([id]) => id)

/**
 * Reads a description.
 * @throws {Error} when it is not JSON, not a description, or has no words that could be used
 */
export const readPublishedWords = (json: string): PublishedWords => {
  const document: unknown = JSON.parse(json)
  const paths = at(document, 'paths')
  if (!isNode(document) || !isNode(paths)) throw new Error('expected an OpenAPI 3 description')
  const refusals: { readonly path: RegExp; readonly rows: readonly Row[] }[] = []
  const everywhere: Row[] = []
  const statuses = new Map<string, readonly Row[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(isNode(methods) ? methods : {})) {
      const rows: Row[] = [...rowsOf(text(at(operation, 'responses', '400', 'description')))]
      const gone = exampleDetail(at(operation, 'responses', '410'))
      if (gone !== '') rows.push({ code: 410, description: gone })
      if (rows.length > 0) refusals.push({ path: matcher(path), rows })
      everywhere.push(...rows)
      const answers = ['200', '201', '202'].flatMap((status) =>
        statusRows(
          document,
          at(operation, 'responses', status, 'content', 'application/json', 'schema'),
        ),
      )
      if (answers.length > 0) statuses.set(`${method.toUpperCase()} ${shape(path)}`, answers)
    }
  }
  const size = everywhere.length + [...statuses.values()].flat().length
  if (size === 0) throw new Error('the description has no tables of codes')
  const ofCode = (rows: readonly Row[], code: number) => rows.filter((row) => row.code === code)
  return {
    size,
    refusal: (path, code) =>
      wordsIn(
        refusals.filter((one) => one.path.test(path)).flatMap(({ rows }) => ofCode(rows, code)),
      ) ?? wordsIn(ofCode(everywhere, code).slice(0, 1)),
    status(method, path, code, ours) {
      const kinds = lifecyclesOf(code, ours)
      const own = ofCode(statuses.get(`${method} ${shape(path)}`) ?? [], code)
      // The list of sessions has no table: that of one session is about the same states.
      const isOfKind = ({ about }: Row) => about !== undefined && kinds.includes(about)
      const rows =
        own.length > 0 ? own : ofCode([...statuses.values()].flat(), code).filter(isOfKind)
      const fitting = rows.filter(({ about }) => about === undefined || kinds.includes(about))
      return wordsIn(fitting.length > 0 ? fitting : rows)
    },
  }
}
