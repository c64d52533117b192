import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { endpoint, operationIds } from '../../contract/endpoints.ts'
import { environments } from '../../contract/environments.ts'
import { refusals } from '../../contract/errors.ts'
import { gap, gapIds, gaps } from '../../contract/gaps.ts'
import { lifecycles } from '../../contract/lifecycles.ts'
import { limits, rateRules } from '../../contract/limits.ts'
import { ruleIds, ruleRow, variantsOf } from '../../contract/rules.ts'
import { schemaIds, schemas } from '../../contract/schemas.ts'
import { areas } from '../../contract/types.ts'
import type { Gap, JsonSchema, Limit, Refusal, Rule } from '../../contract/types.ts'
import { wireSchemas } from '../../contract/wire-schemas.ts'
import { schemaJudge, standaloneCheck } from '../../lib/node/schema.ts'
import { projectRoot } from '../sources.ts'

// The contract holds together, and says what the specification says. The specification stands beside the project where
// it was written; elsewhere the tests that need it say so.

const root = projectRoot()
const specification = (name: string): string | undefined => {
  const file = path.join(root ?? '.', '../shared/spec', name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
const interfaceText = specification('interface-v2.md')
const requirementsText = specification('requirements.md')
const absent = 'the specification does not stand beside the project (../shared/spec)'

const allRefusals = Object.entries<Refusal>(refusals)
const allDialects = Object.values<Dialect>(dialects)

test('no rule was renamed or dropped', () => {
  test.skip(root === undefined, 'the published package carries no sources')
  const frozen = readFileSync(path.join(root ?? '.', 'test/contract/rule-ids.txt'), 'utf8')
    .split('\n')
    .filter(Boolean)
  expect(frozen).toHaveLength(184)
  expect(frozen.filter((id) => !ruleIds.some((known) => known === id))).toEqual([])
})

test('every requirement has its rule, with level, binding and origin', () => {
  test.skip(requirementsText === undefined, absent)
  const rows = [
    ...(requirementsText ?? '').matchAll(
      /^\| ([a-z]+\.[a-z0-9.-]+) \| (MUST|SHOULD|MAY) \| ([SCB]) \| ([^|]+) \| (\w+) \|/gm,
    ),
  ].map(([, id, level, binds, needs, origin]) => ({ id, level, binds, needs, origin }))
  expect(rows).toHaveLength(184)
  for (const { id, level, binds, needs, origin } of rows) {
    const rule = ruleRow(id as (typeof ruleIds)[number]) as Rule | undefined
    expect(rule, id).toMatchObject({ level, binds, origin })
    const single = (needs ?? '')
      .replace('10,000', '10 000')
      .split(',')
      .map((need) => need.trim())
    expect(rule?.needs ?? [], id).toEqual(
      single.filter((need) => need !== '-' && !need.includes(' for ')),
    )
  }
})

test('every clause is a path of headings of the specification', () => {
  test.skip(interfaceText === undefined, absent)
  const headings = new Set<string>()
  let chapter = ''
  for (const [, depth, title] of (interfaceText ?? '').matchAll(/^(#{2,3}) (.+)$/gm)) {
    if (depth === '##') chapter = title ?? ''
    headings.add(depth === '##' ? chapter : `${chapter} > ${title}`)
  }
  const clauses = [
    ...ruleIds.map((id) => ruleRow(id).clause),
    ...gapIds.map((id) => gaps[id].clause),
    ...Object.values<Limit>(limits).map(({ clause }) => clause),
  ]
  expect([...new Set(clauses)].filter((clause) => !headings.has(clause))).toEqual([])
})

test('every "not shown" of the specification has a gap', () => {
  const mentions = gapIds.flatMap((id) => (gaps[id] as Gap).mentions ?? [])
  expect([...new Set(mentions)].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 31 }, (_, index) => index + 1),
  )
  test.skip(interfaceText === undefined, absent)
  expect(interfaceText?.match(/not shown/g)).toHaveLength(31)
})

test('nothing is copied from the specification', () => {
  test.skip(interfaceText === undefined || requirementsText === undefined, absent)
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const run = 10
  const runs = (text: string) => {
    const all = words(text)
    return all.slice(run - 1).map((_, index) => all.slice(index, index + run).join(' '))
  }
  const theirs = new Set([...runs(interfaceText ?? ''), ...runs(requirementsText ?? '')])
  const ours = [
    ...ruleIds.map((id) => ruleRow(id).sentence),
    ...gapIds.flatMap((id) => [gaps[id].question, gaps[id].assumption]),
    ...allRefusals.flatMap(([, { when, description }]) => [when, description]),
  ]
  expect(ours.filter((text) => runs(text).some((one) => theirs.has(one)))).toEqual([])
})

test('every reference resolves', () => {
  const broken: string[] = []
  const check = (
    where: string,
    names: readonly string[] | undefined,
    known: (id: string) => boolean,
  ) =>
    broken.push(...(names ?? []).filter((name) => !known(name)).map((name) => `${where}: ${name}`))
  const isGap = (id: string) => gap(id) !== undefined
  const isRate = (id: string) => id in rateRules || id === 'public' || id === 'unlimited'
  const isSchema = (id: string) => id in schemas
  for (const id of ruleIds) {
    const rule = ruleRow(id)
    check(id, [...(rule.assumes ?? []), ...(rule.touches ?? [])], isGap)
    for (const variant of variantsOf(id).values()) check(id, variant.assumes, isGap)
    check(id, [id.split('.')[0] ?? ''], (area) => areas.some((one) => one === area))
  }
  for (const id of operationIds) {
    const row = endpoint(id)
    check(id, row.assumes, isGap)
    check(id, row.refusals, (name) => name in refusals)
    check(id, [row.rate], isRate)
    check(
      id,
      [row.request?.schema, row.answer.schema].filter((one) => one !== undefined),
      isSchema,
    )
    check(id, row.environments, (name) => name in environments)
    check(
      id,
      (row.parameters ?? []).flatMap(({ schema }) => referencesOf(schema)),
      isSchema,
    )
  }
  for (const [id, row] of allRefusals) {
    check(id, row.assumes, isGap)
    const states = row.state ? lifecycles[row.state.of].map(({ code }) => String(code)) : []
    check(id, row.state?.codes.map(String), (code) => states.includes(code))
  }
  for (const [id, row] of Object.entries<Limit>(limits)) check(id, row.assumes, isGap)
  for (const id of schemaIds) check(id, referencesOf(schemas[id]), isSchema)
  expect(broken).toEqual([])
})

const referencesOf = (schema: unknown): string[] => {
  if (Array.isArray(schema)) return schema.flatMap(referencesOf)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, inner]) =>
    name === '$ref' ? [String(inner)] : name === 'examples' ? [] : referencesOf(inner),
  )
}

test('every gap is used, or belongs to a "not shown" of the specification', () => {
  const used = new Set(
    [
      ...ruleIds.flatMap((id) => [ruleRow(id).assumes, ruleRow(id).touches]),
      ...ruleIds.flatMap((id) => [...variantsOf(id).values()].map(({ assumes }) => assumes)),
      ...operationIds.map((id) => endpoint(id).assumes),
      ...allRefusals.map(([, row]) => row.assumes),
      ...Object.values<Limit>(limits).map((row) => row.assumes),
    ].flatMap((assumed) => assumed ?? []),
  )
  expect(gapIds.filter((id) => !used.has(id) && (gaps[id] as Gap).mentions === undefined)).toEqual(
    [],
  )
})

test('assumed rules rest on a gap, and no other rules do', () => {
  const assumed = [
    ...ruleIds.map((id) => ({ id: id as string, ...ruleRow(id) })),
    ...Object.entries<Limit>(limits).map(([id, row]) => ({ id, ...row })),
  ].filter(({ origin }) => origin === 'assumed')
  expect(assumed.length).toBeGreaterThan(30)
  const others = ruleIds.filter((id) => ruleRow(id).origin !== 'assumed')
  expect(others.filter((id) => ruleRow(id).assumes !== undefined)).toEqual([])
  expect(assumed.filter(({ assumes }) => (assumes ?? []).length === 0).map(({ id }) => id)).toEqual(
    [],
  )
})

test('every schema has valid examples and rejects a value that is not an object', () => {
  const judge = schemaJudge(dialects.svc)
  for (const id of schemaIds) {
    const schema: JsonSchema = schemas[id]
    const examples = (schema['examples'] ?? []) as readonly unknown[]
    expect(examples.length, `${id} has an example`).toBeGreaterThan(0)
    for (const example of examples) expect(judge.problems(id, example), id).toEqual([])
    if (schema['type'] === 'object') expect(judge.problems(id, 7), id).not.toEqual([])
  }
})

test('every schema of every dialect compiles in strict mode', () => {
  for (const dialect of allDialects) {
    const $defs = wireSchemas(dialect)
    const inPlace = JSON.parse(
      JSON.stringify($defs).replaceAll(/"\$ref":"(\w+)"/g, '"$ref":"#/$defs/$1"'),
    ) as Record<string, JsonSchema>
    const anyOf = Object.keys(inPlace).map((id) => ({ $ref: `#/$defs/${id}` }))
    expect(standaloneCheck({ anyOf, $defs: inPlace })(undefined), dialect.id).not.toEqual([])
  }
})

test('lifecycles lead only to their own states, and terminate', () => {
  for (const [id, states] of Object.entries(lifecycles)) {
    const known = states.map(({ code }) => code)
    expect(new Set(known).size, id).toBe(known.length)
    for (const state of states) {
      expect(
        state.next.filter((code) => !known.includes(code)),
        `${id} ${state.code}`,
      ).toEqual([])
      if (state.outcome === 'pending') expect(state.terminal, `${id} ${state.code}`).toBe(false)
    }
    const reached = new Set(states.flatMap(({ next }) => next))
    const entry = states[0]?.code
    expect(
      known.filter((code) => code !== entry && !reached.has(code)),
      `${id}: every state can be reached`,
    ).toEqual([])
  }
})

test('rows of the dialects refer to existing names', () => {
  for (const dialect of allDialects) {
    const unknown = (names: readonly string[], known: object) =>
      names.filter((name) => !(name in known))
    expect(
      unknown(Object.keys(dialect.rules), Object.fromEntries(ruleIds.map((id) => [id, 1]))),
    ).toEqual([])
    for (const rows of [
      dialect.moves,
      dialect.omits ?? {},
      dialect.requires ?? {},
      dialect.constants ?? {},
      dialect.schemas,
    ]) {
      expect(unknown(Object.keys(rows), schemas), dialect.id).toEqual([])
    }
    for (const [rows, kind] of [
      [dialect.moves, 'moves'],
      [dialect.omits ?? {}, 'omits'],
      [dialect.requires ?? {}, 'requires'],
    ] as const) {
      for (const [id, fields] of Object.entries<readonly string[] | Record<string, string>>(rows)) {
        const names = Array.isArray(fields) ? fields : Object.keys(fields)
        const properties = (schemas[id as keyof typeof schemas] as JsonSchema)['properties']
        expect(unknown(names, properties as object), `${dialect.id} ${kind} ${id}`).toEqual([])
      }
    }
    const shape = dialect.errorShapes.at(-1)
    expect(shape, `${dialect.id}: the last error shape holds for every status`).toMatchObject({
      media: 'application/json',
    })
    expect(shape?.statuses).toBeUndefined()
    expect(shape?.asked).toBeUndefined()
  }
})
