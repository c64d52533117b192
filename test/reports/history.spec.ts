import { expect, test } from '@playwright/test'
import type { Finding, Verdict } from '../../reports/finding.ts'
import { flakyChecks, noHistory, withRun } from '../../reports/history.ts'
import type { History } from '../../reports/history.ts'
import type { Run } from '../../reports/run.ts'

/** The history of a target: what earlier runs came to, and which checks are flaky. */

const runOf = (number: number, verdicts: Readonly<Record<string, Verdict>>): Run => {
  const findings = Object.entries(verdicts).map(([check, verdict]): Finding => ({
    rule: 'auth.challenge.public',
    check,
    verdict,
    ms: 1,
  }))
  const facts = {
    started: `run ${number}`,
    finished: '',
    seed: 1,
    namespace: 'n',
    target: 't',
    version: '0',
  }
  return { facts, findings, planned: findings.length, notRun: [] }
}

const after = (...verdicts: readonly Verdict[]): History =>
  verdicts
    .map((verdict, at) => runOf(at, { one: verdict, other: 'pass' }))
    .reduce(withRun, noHistory)

test('a check that fails, passes and fails is flaky; one that was broken or fixed is not', () => {
  expect([...flakyChecks(after('fail', 'pass', 'fail'))]).toEqual(['one'])
  expect([...flakyChecks(after('fail', 'pass', 'known'))]).toEqual(['one'])
  for (const steady of [
    ['pass', 'fail', 'fail'],
    ['fail', 'fail', 'pass'],
    ['fail', 'not-verifiable', 'fail'],
  ] as const)
    expect([...flakyChecks(after(...steady))], steady.join()).toEqual([])
})

test('forgets old runs', () => {
  const passed = Array.from({ length: 10 }, () => 'pass' as const)
  expect([...flakyChecks(after('fail', 'pass', 'fail', ...passed))]).toEqual([])
  const history = after('fail', ...passed, ...passed)
  expect(history.runs).toHaveLength(20)
  expect(history.outcomes).toEqual({})
})

test('keeps the result of each run; a run that is reported again replaces itself', () => {
  const first = withRun(noHistory, runOf(1, { one: 'fail', other: 'pass' }))
  expect(first.runs).toMatchObject([{ verdict: 'not conformant', failed: 1, verified: 2, of: 2 }])
  expect(withRun(first, runOf(1, { one: 'fail', other: 'pass' }))).toEqual(first)
  const second = withRun(first, runOf(2, { one: 'pass', other: 'fail' }))
  expect(second.outcomes).toEqual({ one: 'fp', other: '-f' })
  expect(withRun(second, runOf(1, { one: 'pass', other: 'pass' })).outcomes).toEqual({
    other: 'pf',
  })
})
