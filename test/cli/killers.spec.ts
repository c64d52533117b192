import { expect, test } from '@playwright/test'
import { knownKillers } from '../../cli/mutate/killers.ts'
import { listedChecks } from '../../cli/registered.ts'
import { mutants } from '../../reference/mutants/mutants.ts'
import { titleOf } from '../../suites/support/rule.ts'

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
