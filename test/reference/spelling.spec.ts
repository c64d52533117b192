import { expect, test } from '@playwright/test'
import { ksef } from '../../contract/dialects/ksef.ts'
import { svc } from '../../contract/dialects/svc.ts'
import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { schemaIds, schemas } from '../../contract/schemas.ts'
import type { Json, JsonSchema } from '../../contract/types.ts'
import { createSpelling } from '../../reference/http/spelling.ts'

// Bodies are read loosely where clients of the public service need it, and only there.

const { compile } = createSpelling(schemas)

/** The same value with every name of a field in capitals. */
const shouted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shouted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.toUpperCase(), shouted(item)]),
  )
}
const asked = new Set(operationIds.flatMap((id) => endpoint(id).request?.schema ?? []))
const examples = schemaIds
  .filter((id) => asked.has(id))
  .flatMap((id) =>
    ((schemas[id] as JsonSchema)['examples'] as readonly Json[]).map((example) => ({
      id,
      example,
    })),
  )

test('reads every request example unchanged and in upper case', () => {
  expect(examples.length).toBeGreaterThan(30)
  for (const { id, example } of examples) {
    const spell = compile({ $ref: id })
    expect(spell(example), id).toBe(example)
    expect(spell(shouted(example)), id).toEqual(example)
  }
})

test('reads enumeration values in any case and leaves other text unchanged', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      type: { anyOf: [{ enum: ['Nip', 'Fingerprint'] }, { type: 'null' }] },
      value: {},
    },
  }
  const spell = createSpelling({}).compile(schema)
  expect(spell({ Type: 'NIP', VALUE: 'nip', Other: 'Nip' })).toEqual({
    type: 'Nip',
    value: 'nip',
    Other: 'Nip',
  })
  expect(spell({ type: null })).toEqual({ type: null })
  expect(spell({ type: 'nipp' })).toEqual({ type: 'nipp' })
})

test('the last of two spellings of a name counts', () => {
  const spell = createSpelling({}).compile({ properties: { size: { type: 'integer' } } })
  expect(spell({ size: 1, Size: 2 })).toEqual({ size: 2 })
  expect(spell({ Size: 2, size: 1 })).toEqual({ size: 1 })
})

test('reads a date as its first instant where an instant is required', () => {
  const spell = createSpelling({}).compile({
    properties: { from: { type: 'string', format: 'date-time' }, on: { format: 'date' } },
  })
  expect(spell({ from: '2026-06-15', on: '2026-06-15' })).toEqual({
    from: '2026-06-15T00:00:00',
    on: '2026-06-15',
  })
  const exact = { from: '2026-06-15T08:00:00Z' }
  expect(spell(exact)).toBe(exact)
})

test('a schema that refers to itself', () => {
  const tree = { properties: { next: { $ref: 'Tree' }, kinds: { items: { enum: ['A'] } } } }
  const spell = createSpelling({ Tree: tree }).compile({ $ref: 'Tree' })
  expect(spell({ Next: { NEXT: { kinds: ['a', 'b'] } } })).toEqual({
    next: { next: { kinds: ['A', 'b'] } },
  })
})

test('the specification itself is spelled as it is written', () => {
  expect(ksef.loose).toBe(true)
  expect(svc.loose).toBeUndefined()
})
