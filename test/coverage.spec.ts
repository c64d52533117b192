import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { coverageOf } from '../cli/coverage/listed.ts'
import { showingChecks } from '../cli/coverage/responsible.ts'
import { listedChecks } from '../cli/registered.ts'
import type { RegisteredCheck } from '../cli/registered.ts'
import { ruleIds, ruleRow, rules, variantsOf } from '../contract/rules.ts'
import { mutants } from '../reference/mutants/mutants.ts'
import { generatedMutants } from '../reference/mutants/operators/generated.ts'
import { reasons } from '../reference/mutants/operators/not-forbidden.ts'
import { observations } from '../reports/kill-matrix.ts'
import { fileOf, placeOf } from '../suites/support/checks/homes.ts'
import { rowOf, titleOf } from '../suites/support/checks/rule.ts'
import { matrix, matrixIds } from '../suites/support/coverage/shown-matrices.ts'
import { projectRoot, readSources } from './sources.ts'

/** Every rule that binds the service has a check, read from Playwright's own list, and a mutant that a check kills. */

const breaks = new Set(
  Object.values(mutants).flatMap((mutant) => mutant.breaks as readonly string[]),
)
const binding = ruleIds.filter((id) => ruleRow(id).binds !== 'C')

/** Where the mutants of a rule are: an area with too many for one file is a folder, and so is a subject. */
const mutantFileOf = (id: string): string => {
  const root = projectRoot() ?? '.'
  const folder = 'reference/mutants'
  return `${folder}/${placeOf(id, (place) => existsSync(path.join(root, folder, place)))}.ts`
}

const lackingOf = async () => {
  const checked = new Set((await listedChecks()).map(({ rule }) => rule))
  return new Map(
    binding.map((id) => [
      id,
      { check: !checked.has(id), mutant: !breaks.has(id), file: fileOf(id) },
    ]),
  )
}

test('every rule that binds the service has a check and a mutant', async () => {
  const open = [...(await lackingOf())].flatMap(([id, { check, mutant, file }]) => [
    ...(check ? [`${id} has no check: write one in suites/${file}`] : []),
    ...(mutant && !(titleOf(id, undefined) in observations)
      ? [`${id} has no mutant: write one in ${mutantFileOf(id)}`]
      : []),
  ])
  expect(open).toEqual([])
})

test('every rule has a mutant for each of its variants', () => {
  const scarce = binding.flatMap((id) => {
    const own = Object.values(mutants).filter((mutant) => mutant.breaks.includes(id)).length
    const { size } = variantsOf(id)
    return own < size
      ? [`${id}: ${size} variants, ${own} mutants; write more in ${mutantFileOf(id)}`]
      : []
  })
  expect(scarce).toEqual([])
})

test('every check that notices nothing is one that observes, of a rule without a mutant', async () => {
  const observing = new Set(
    (await listedChecks())
      .filter(({ rule, variant }) => rowOf(rule, variant).level === 'MAY' && !breaks.has(rule))
      .map(({ rule, variant }) => titleOf(rule, variant)),
  )
  const stale = Object.keys(observations).filter((title) => !observing.has(title))
  expect(stale, 'Remove these entries from reports/kill-matrix.ts.').toEqual([])
})

test('every reason why a mutant is not forbidden matches one that no other reason matches', () => {
  const matching = generatedMutants().map(([id]) => reasons.filter(([pattern]) => pattern.test(id)))
  const needed = new Set(matching.filter((rows) => rows.length === 1).flat())
  const stale = reasons.filter((row) => !needed.has(row)).map(([pattern]) => String(pattern))
  expect(stale, 'Remove these rows from reference/mutants/operators/not-forbidden.ts.').toEqual([])
})

test('the checks cover every cell of every matrix', async () => {
  const holes = coverageOf(await listedChecks()).flatMap(({ matrix: id, holes: open }) =>
    open.map(
      ({ cell, file, gone = 'none' }) =>
        `${id}: ${cell} has no check (until now ${gone}): write one in suites/${file}, then npm run coverage`,
    ),
  )
  expect(holes).toEqual([])
})

test('without a check that covers cells, its matrix has holes that name its file', async () => {
  const checks = await listedChecks()
  const holesWithout = (gone: RegisteredCheck) =>
    coverageOf(checks.filter((other) => other !== gone)).flatMap(({ holes }) => holes)
  const naming = checks.filter(({ covers = [] }) => covers.some(({ cells }) => cells.length > 0))
  expect(naming.length).toBeGreaterThan(100)
  for (const check of naming.filter(({ variant = '' }) => variant.startsWith('every operation')))
    expect(holesWithout(check)[0]?.file, check.variant).toBe(check.file)
  const titles = new Set(
    Object.values(showingChecks()).flatMap((rows) => Object.values(rows ?? {})),
  )
  const showing = checks.filter(({ rule, variant }) => titles.has(titleOf(rule, variant)))
  expect(showing.length).toBeGreaterThan(50)
  for (const check of showing.filter((_, place) => place % 10 === 0))
    expect(holesWithout(check), check.variant).toContainEqual(
      expect.objectContaining({ file: check.file, gone: titleOf(check.rule, check.variant) }),
    )
})

test('every row of suites/coverage.json is a cell of a matrix', () => {
  const stale = Object.entries(showingChecks()).flatMap(([id, rows]) =>
    Object.keys(rows ?? {})
      .filter((cell) => !matrixIds.some((one) => one === id && matrix(one).cells.includes(cell)))
      .map((cell) => `${id}: ${cell}`),
  )
  expect(stale, 'npm run coverage writes the table').toEqual([])
})

test('every mutant breaks a rule that exists', () => {
  const unknown = Object.entries(mutants).flatMap(([id, mutant]) =>
    (mutant.breaks as readonly string[])
      .filter((rule) => !(rule in rules))
      .map((rule) => `${id}: ${rule}`),
  )
  expect(unknown).toEqual([])
})

test('every mutant is in the file that its id names', () => {
  const root = projectRoot()
  test.skip(root === undefined, 'the published package carries no sources')
  const entries = readSources(root ?? '.')
    .filter(({ path: file }) => /^reference\/mutants\/(?!operators\/)/.test(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(/^ {2}'([a-z\d.-]+)\/([^']+)':/gm)].map(([, rule = '', name = '']) => ({
        id: `${rule}/${name}`,
        file,
        expected: mutantFileOf(rule),
      })),
    )
  const misplaced = entries
    .filter(({ file, expected }) => file !== expected)
    .map(({ id, file, expected }) => `${id}: ${file}, expected ${expected}`)
  expect(misplaced, 'Move these mutants.').toEqual([])
  const written = Object.keys(mutants).filter((id) => mutants[id]?.generated === false)
  expect(
    entries.map(({ id }) => id).toSorted(),
    'Assemble their files in reference/mutants/mutants.ts.',
  ).toEqual(written.toSorted())
})
