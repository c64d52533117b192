import { expect, test } from '@playwright/test'
import { quickSelection } from '../../cli/quick.ts'
import { listedChecks } from '../../cli/registered.ts'
import { ruleIds, ruleRow } from '../../contract/rules.ts'
import { families } from '../../suites/support/families.ts'
import { keyOfCheck } from '../../suites/support/chosen.ts'

/** A quick run: one check of each variant and of each family, drawn by the seed. */

test('a quick run has each rule that has checks of its own, and each family once', async () => {
  const checks = await listedChecks()
  const chosen = quickSelection(checks, 1)
  expect(chosen.length).toBeLessThan(checks.length * 0.7)
  const family = ({ variant = '' }: { readonly variant?: string }) =>
    variant.split(', ', 1)[0] ?? ''
  for (const name of Object.keys(families)) {
    const wanted = checks.some((check) => family(check) === name) ? 1 : 0
    expect(chosen.filter((check) => family(check) === name).length, name).toBe(wanted)
  }
  const own = (rule: string) =>
    checks.filter((check) => check.rule === rule && !(family(check) in families))
  const missing = ruleIds
    .filter((id) => ruleRow(id).binds !== 'C' && own(id).length > 0)
    .filter((id) => !chosen.some(({ rule }) => rule === id))
  expect(missing).toEqual([])
})

test('the same seed draws the same checks, another seed others', async () => {
  const checks = await listedChecks()
  const keys = (seed: number) => quickSelection(checks, seed).map(keyOfCheck)
  expect(keys(7)).toEqual(keys(7))
  expect(keys(7)).not.toEqual(keys(8))
})
