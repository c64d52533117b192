import { expect, test } from '@playwright/test'
import type { Finding } from '../../reports/finding.ts'
import { compareRuns, comparisonLines } from '../../reports/compare.ts'
import { causeLine, causesOf } from '../../reports/causes.ts'
import { mergeRuns } from '../../reports/merge.ts'
import type { RunPart } from '../../reports/merge.ts'
import type { Verdict } from '../../lib/verdict.ts'
import { conclusionOf } from '../../reports/run.ts'

/** What several runs come to: parts of one, and an earlier one beside a later one. */

const found = (check: string, verdict: Verdict, more: Partial<Finding> = {}): Finding => ({
  rule: 'auth.status.wrong-bearer-refused',
  check,
  verdict,
  ms: 1,
  ...more,
})

const part = (
  shard: string | undefined,
  findings: readonly Finding[],
  more: { readonly seed?: number; readonly ended?: boolean; readonly notRun?: string[] } = {},
): RunPart => {
  const plan = [...findings.map(({ check }) => check), ...(more.notRun ?? [])].map((check) => ({
    rule: 'auth.status.wrong-bearer-refused',
    check,
  }))
  return {
    name: `part ${shard}`,
    facts: {
      started: '2026-06-15T08:00:00Z',
      finished: '2026-06-15T09:00:00Z',
      seed: more.seed ?? 7,
      namespace: 'n',
      target: 'http://target.test',
      version: '1',
      ...(shard === undefined ? {} : { shard }),
    },
    record: {
      findings,
      plan,
      planned: plan.length,
      notRun: plan.slice(findings.length),
      errors: [],
      ended: more.ended ?? true,
    },
  }
}

test('the parts of a run have one verdict, and a fault that several met is one finding', () => {
  const run = mergeRuns([
    part('2/2', [found('b', 'pass'), found('answers', 'fail')]),
    part('1/2', [found('a', 'pass'), found('answers', 'warn')]),
  ])
  expect(run.findings.map(({ check, verdict }) => `${check} ${verdict}`).toSorted()).toEqual([
    'a pass',
    'answers fail',
    'b pass',
  ])
  expect(conclusionOf(run)).toMatchObject({ verdict: 'not conformant', exit: 1 })
})

test('an interrupted part, or one without some checks, makes the whole run incomplete', () => {
  const whole = part('1/2', [found('a', 'pass')])
  const killed = mergeRuns([whole, part('2/2', [found('b', 'pass')], { ended: false })])
  expect(conclusionOf(killed).exit).toBe(3)
  const cut = mergeRuns([whole, part('2/2', [found('b', 'pass')], { notRun: ['c'] })])
  expect(conclusionOf(cut)).toMatchObject({ verdict: 'incomplete', exit: 3 })
})

for (const [what, parts, message] of [
  ['a missing part', [part('1/2', [])], 'the shard 2/2 is missing'],
  ['a part twice', [part('1/2', []), part('1/2', []), part('2/2', [])], '1/2 is there twice'],
  ['parts of different splits', [part('1/2', []), part('3/3', [])], 'expected shards of 2'],
  ['a whole run', [part(undefined, [])], 'not run with --shard'],
  ['different seeds', [part('1/2', []), part('2/2', [], { seed: 8 })], 'different values of seed'],
] as const)
  test(`${what} cannot be merged`, () => {
    expect(() => mergeRuns(parts)).toThrow(message)
  })

test('a comparison reports new, fixed, still failing and no longer verifiable checks', () => {
  const earlier = [
    found('fixed', 'fail'),
    found('still', 'inconclusive'),
    found('lost', 'pass'),
    found('same', 'pass'),
    found('never', 'not-verifiable'),
    found('cut', 'pass'),
  ]
  const now = [
    found('fixed', 'pass'),
    found('still', 'fail'),
    found('lost', 'not-verifiable'),
    found('same', 'pass'),
    found('never', 'not-verifiable'),
    found('fresh', 'fail'),
  ]
  const comparison = compareRuns(earlier, { findings: now, notRun: [{ rule: 'r', check: 'cut' }] })
  expect(comparison).toEqual({
    new: ['fresh'],
    fixed: ['fixed'],
    stillFailing: ['still'],
    noLongerVerifiable: ['lost', 'cut'],
  })
  expect(comparisonLines(comparison)).toContain('still failing (1):')
})

test('findings with one cause are one group whatever their verdicts', () => {
  const cause = 'the service answers some calls with 500'
  const { causes, left } = causesOf([
    found('a', 'fail', { cause }),
    found('b', 'inconclusive', { cause }),
    found('c', 'fail', { cause }),
    found('d', 'fail', { cause: 'another' }),
  ])
  expect(causes.map(causeLine)).toEqual([
    `3 checks of 1 rule, one cause (2 fail, 1 inconclusive): ${cause}`,
  ])
  expect(left.map(({ check }) => check)).toEqual(['d'])
})
