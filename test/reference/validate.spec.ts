import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { svc } from '../../contract/dialects/svc.ts'
import { schemaIds, schemas } from '../../contract/schemas.ts'
import type { Json, JsonSchema } from '../../contract/types.ts'
import { schemaJudge } from '../../lib/node/schema.ts'
import { createValidator } from '../../reference/http/validate.ts'

// The reference's validator against ajv: the same verdict on every example of the contract and on mutations of it.

const { compile } = createValidator(schemas)
const judge = schemaJudge(svc)

const strange: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  'ą'.repeat(300),
  '\u{1F600}'.repeat(40),
  '2026-02-30',
  '2026-06-15T08:00:00Z',
  '5265877635',
  [],
  {},
]

/** A value with one place changed, chosen by numbers. */
const changed = (value: Json, path: readonly number[], by: Json): Json => {
  const [first = 0, ...rest] = path
  if (Array.isArray(value)) {
    if (value.length === 0 || rest.length === 0) return by
    const at = first % value.length
    return value.map((item: Json, index) => (index === at ? changed(item, rest, by) : item))
  }
  if (typeof value !== 'object' || value === null) return by
  const names = Object.keys(value)
  if (names.length === 0 || first % (names.length + 1) === names.length) return by
  const name = names[first % names.length]!
  const entries = Object.entries(value as Record<string, Json>)
  // Sometimes removes a field instead of changing it.
  if (rest.length > 0 && rest[0]! % 3 === 1) {
    return Object.fromEntries(entries.filter(([key]) => key !== name))
  }
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === name ? changed(item, rest, by) : item]),
  )
}

test('accepts every example of the contract', () => {
  const refused = schemaIds.flatMap((id) =>
    ((schemas[id] as JsonSchema)['examples'] as readonly Json[]).flatMap((example) =>
      compile({ $ref: id })(example).map(({ message }) => `${id}: ${message}`),
    ),
  )
  expect(refused).toEqual([])
})

test('agrees with ajv on examples with one place changed', () => {
  const compiled = new Map(schemaIds.map((id) => [id, compile({ $ref: id })]))
  let invalid = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...schemaIds),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...strange),
      fc.nat(5),
      (id, path, by, which) => {
        const examples = (schemas[id] as JsonSchema)['examples'] as readonly Json[]
        const value = changed(examples[which % examples.length]!, path, by)
        const mine = compiled.get(id)!(value).length === 0
        const theirs = judge.problems(id, value).length === 0
        if (!mine) invalid++
        return mine === theirs
      },
    ),
    { numRuns: 5_000 },
  )
  expect(invalid, 'values that were refused').toBeGreaterThan(500)
})

test('stops at a keyword, a format or a reference that it does not know', () => {
  expect(() => compile({ type: 'string', contentEncoding: 'base64' })).toThrow(/contentEncoding/)
  expect(() => compile({ type: 'string', format: 'hostname' })).toThrow(/hostname/)
  expect(() => compile({ $ref: 'NoSuchSchema' })).toThrow(/NoSuchSchema/)
})
