import type { TestStep } from '@playwright/test/reporter'
import { expect, test } from '@playwright/test'
import { withAssertion } from '../../reports/assertions.ts'
import type { Held } from '../../reports/assertions.ts'

/** A check that asserts nothing does not pass. */

const step = (category: string, ...steps: TestStep[]): TestStep =>
  ({ category, steps }) as unknown as TestStep
const held: Held = {
  outcome: 'held',
  finding: { rule: 'a.one', check: 'MUST a.one', verdict: 'pass', ms: 1 },
}

test('a check that held without an assertion is broken', () => {
  for (const steps of [[], [step('hook', step('fixture')), step('test.step')]]) {
    const { outcome, finding } = withAssertion(held, { steps })
    expect([outcome, finding.verdict]).toEqual(['broken', 'broken'])
    expect(finding.reason).toContain('without an assertion')
  }
})

test('an assertion within a step, one that held, or an observation is enough', () => {
  expect(withAssertion({ ...held, asserted: true }, { steps: [] })).toEqual(held)
  expect(withAssertion(held, { steps: [step('test.step', step('expect'))] })).toEqual(held)
  const observed: Held = { ...held, finding: { ...held.finding, actual: '3 of 30 were refused' } }
  expect(withAssertion(observed, { steps: [] })).toEqual(observed)
})

test('a failed check stays failed', () => {
  const refused: Held = { outcome: 'violated', finding: { ...held.finding, verdict: 'fail' } }
  expect(withAssertion(refused, { steps: [] })).toEqual(refused)
})
