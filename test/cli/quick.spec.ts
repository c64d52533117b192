import { expect, test } from '@playwright/test'
import { quickSelection } from '../../cli/quick.ts'
import { listedChecks } from '../../cli/registered.ts'
import { withUnregistered } from '../../cli/check/unregistered.ts'
import { ruleIds, ruleRow, variantName } from '../../contract/rules.ts'
import type { Finding } from '../../reports/finding.ts'
import { families } from '../../suites/support/checks/families.ts'
import { keyOfCheck } from '../../suites/support/checks/chosen.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'
import { run } from './in-process.ts'

/** A quick run: one check of each variant and of each family, drawn by the seed. */

test('a quick run has each rule that has checks of its own, and each family once', async () => {
  const checks = await listedChecks()
  const chosen = quickSelection(checks, 1)
  expect(chosen.length).toBeLessThan(checks.length * 0.7)
  const family = ({ variant = '' }: { readonly variant?: string }) => variantName(variant)
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

test('a quick run of some rules runs the checks that it draws', async () => {
  const { exit, out } = await run('check keys.list --quick --seed 3 --json --quiet')
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] }
  const drawn = quickSelection(await listedChecks(), 3).filter(({ rule }) =>
    rule.startsWith('keys.list.'),
  )
  expect(drawn.length).toBeGreaterThan(3)
  expect(new Set(findings.map(keyOfCheck))).toEqual(new Set(drawn.map(keyOfCheck)))
  expect(exit).toBe(0)
})

test('a chosen check that the suite does not register makes the run incomplete', async () => {
  const chosen = (await listedChecks()).filter(({ rule }) => rule.startsWith('keys.list.'))
  const [lost, ...registered] = chosen
  if (lost === undefined) throw new Error('there are no checks of keys.list')
  const findings = registered.map(({ rule, variant }): Finding => ({
    rule,
    check: titleOf(rule, variant),
    verdict: 'pass',
    ms: 1,
  }))
  const suite = { findings, planned: registered.length, notRun: [] }
  expect(withUnregistered(suite, registered)).toEqual(suite)
  const { planned, notRun } = withUnregistered(suite, chosen)
  expect(planned).toBe(chosen.length)
  expect(notRun.map(keyOfCheck)).toEqual([keyOfCheck(lost)])
})
