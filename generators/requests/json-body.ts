import type { SchemaId } from '../../contract/schemas.ts'
import { schema as schemaById } from '../../contract/schemas.ts'
import type { Json, JsonSchema } from '../../contract/types.ts'
import { schemaJudge } from '../../lib/node/schema.ts'
import { svc } from '../../contract/dialects/svc.ts'
import type { Draw } from '../draw/draw.ts'
import { drawBytes } from '../draw/draw.ts'
import { parsePattern } from '../schema/parse-pattern.ts'
import { drawPattern } from '../schema/pattern.ts'

/** Valid JSON bodies: the contract's example of a schema with other values at its leaves, as the schema allows. */

const judge = schemaJudge(svc)
const texts = ['Zażółć gęślą jaźń', "O'Neill & Syn", 'a', '漢字', '𝄞', '  x  ', '0']

/** The schema behind a reference. */
export const resolved = (schema: JsonSchema): JsonSchema => {
  const target = schema['$ref']
  return typeof target === 'string' ? resolved(schemaById(target) ?? {}) : schema
}

/** Another text, right by pattern or format where there is one; it is validated afterwards. */
function drawText(schema: JsonSchema, old: string, draw: Draw): string {
  const { pattern, format, minLength, maxLength } = schema
  if (typeof pattern === 'string') {
    try {
      return drawPattern(parsePattern(pattern.replace(/^\^/, '').replace(/\$$/, '')), draw)
    } catch {
      // A pattern that schemas of XML do not know: what stands there stays.
      return old
    }
  }
  if (format === 'date-time')
    return new Date(Date.parse(old) + draw.int(0, 3_600_000)).toISOString()
  if (format === 'byte')
    return Buffer.from(drawBytes(draw, Buffer.from(old, 'base64').length)).toString('base64')
  if (typeof format === 'string') return old
  const max = Math.min(typeof maxLength === 'number' ? maxLength : 60, 60)
  const min = typeof minLength === 'number' ? minLength : 0
  const text = draw.pick(texts).slice(0, max)
  return text.length < min ? text.padEnd(min, 'x') : text
}

function drawLeaf(schema: JsonSchema, old: Json, draw: Draw): Json {
  const { minimum, maximum } = schema
  const values = schema['enum']
  if (Array.isArray(values)) return draw.pick(values as Json[])
  if ('const' in schema) return old
  if (typeof old === 'string') return drawText(schema, old, draw)
  if (typeof old === 'boolean') return draw.chance(50)
  if (typeof old === 'number' && Number.isInteger(old)) {
    const min = typeof minimum === 'number' ? minimum : old
    const max = typeof maximum === 'number' ? maximum : Math.max(min, old)
    return draw.int(min, Math.min(max, min + 1_000_000))
  }
  return old
}

/** Walks value and schema together; `make` is asked about each leaf. */
function replaced(
  schema: JsonSchema,
  value: Json,
  make: (schema: JsonSchema, old: Json) => Json,
): Json {
  const here = resolved(schema)
  // Which branch holds cannot be told here, so these stay as they are.
  if (Array.isArray(here['anyOf'])) return value
  if (Array.isArray(value)) {
    const items = (here['items'] ?? {}) as JsonSchema
    return (value as Json[]).map((each) => replaced(items, each, make))
  }
  if (typeof value === 'object' && value !== null) {
    const properties = (here['properties'] ?? {}) as Record<string, JsonSchema>
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        replaced(properties[name] ?? {}, each, make),
      ]),
    )
  }
  return value === null ? value : make(here, value)
}

/** One body: every field of the example, with other values wherever they are valid too. */
export function drawJsonBody(id: SchemaId, example: Json, draw: Draw): Json {
  const schema = schemaById(id) ?? {}
  let body = example
  let at = -1
  const leaves: Json[] = []
  replaced(schema, example, (here, old) => {
    leaves.push(drawLeaf(here, old, draw))
    return old
  })
  // One leaf after the other: a value that its place does not allow costs that place alone.
  for (const [wanted, leaf] of leaves.entries()) {
    at = -1
    const next = replaced(schema, body, (_, old) => {
      at += 1
      return at === wanted ? leaf : old
    })
    if (judge.problems(id, next).length === 0) body = next
  }
  return body
}
