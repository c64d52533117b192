import { expect, test } from '@playwright/test'
import { knownKillers, measuredChecks } from '../../cli/mutate/killers.ts'
import { listedChecks } from '../../cli/registered.ts'
import { mutants } from '../../reference/mutants/mutants.ts'
import { untriedVariants } from '../../reports/kill-matrix.ts'
import { formOf } from '../../suites/support/checks/other-forms.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'

test('each check in suites/killers.json is of a rule that the mutant breaks', async () => {
  const ruleOf = new Map(
    (await listedChecks()).map(({ rule, variant }) => [titleOf(rule, variant), rule]),
  )
  const rows = [...knownKillers()].flatMap(([id, titles]) => titles.map((title) => ({ id, title })))
  expect(rows.length).toBeGreaterThan(400)
  const stale = rows.filter(({ id, title }) => {
    const rule = ruleOf.get(title)
    return rule === undefined || mutants[id]?.breaks.includes(rule) !== true
  })
  expect(stale, '`npm run killers -- DIRECTORY` measures them again').toEqual([])
})

test('each check of the suite is in the list, with or without a mutant that it notices', async () => {
  const checks = await listedChecks()
  const registered = new Set(
    checks
      .filter(({ variant }) => formOf(variant) === undefined)
      .map(({ rule, variant }) => titleOf(rule, variant)),
  )
  const listed = new Set(measuredChecks())
  expect(
    [...listed].filter((title) => !registered.has(title)),
    'checks that the suite no longer has: restore them, or remove their rows from suites/killers.json',
  ).toEqual([])
  expect(
    [...registered].filter((title) => !listed.has(title)),
    'new checks: add a row for each to suites/killers.json, with the mutants that it notices',
  ).toEqual([])
})

test('each check in another form is in the suite in its first form too', async () => {
  const checks = await listedChecks()
  const titles = new Set(checks.map(({ rule, variant }) => titleOf(rule, variant)))
  const others = checks.flatMap(({ rule, variant }) => {
    const other = formOf(variant)
    return other === undefined ? [] : [titleOf(rule, other.variant)]
  })
  expect(others.length).toBeGreaterThan(500)
  expect(others.filter((title) => !titles.has(title))).toEqual([])
})

test('each check that the model makes has the reason why it is put to no mutant', async () => {
  const model = (await listedChecks()).filter(({ file }) => file === 'sequences/model.spec.ts')
  expect(model.length).toBeGreaterThan(0)
  expect(model.filter(({ variant = '' }) => untriedVariants[variant] === undefined)).toEqual([])
})
