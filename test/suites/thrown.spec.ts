import { expect as playwright, test } from '@playwright/test'
import { Unreachable } from '../../lib/node/fetch.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { killMatrix } from '../../reports/kill-matrix.ts'
import { expect as ours } from '../../suites/support/judging/matchers.ts'
import { notOffered } from '../../suites/support/run/not-offered.ts'
import { outcomeOfError, watchErrors } from '../../suites/support/run/thrown.ts'

/** The type of an error decides what it means; its words do not. */

const thrown = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const rows: readonly (readonly [string, () => unknown, Record<string, unknown>])[] = [
  [
    "Playwright's own assertion",
    () => playwright([1]).toEqual([2]),
    { kind: 'violated', expected: '[ 2 ]', actual: '[ 1 ]' },
  ],
  [
    'an assertion of the suite with a message',
    () => ours('a', 'fetch failed ECONNRESET').toBe('b'),
    { kind: 'violated', expected: 'b', actual: 'a' },
  ],
  [
    'a matcher that Playwright reports without values',
    () => ours([1]).toContain(2),
    { kind: 'violated', expected: 'to contain 2', actual: '[ 1 ]' },
  ],
  [
    'a negated one',
    () => ours('abc').not.toMatch(/b/),
    { kind: 'violated', expected: 'not to match /b/', actual: 'abc' },
  ],
  [
    'a value of the wrong kind',
    () => ours(undefined as unknown as number).toBeGreaterThan(2),
    { kind: 'violated', actual: 'undefined' },
  ],
  [
    'a precondition',
    () => {
      throw new Inconclusive('log in', '201')
    },
    { kind: 'inconclusive', cause: 'log in: expected 201' },
  ],
  [
    'no answer',
    () => {
      throw new Unreachable('http://127.0.0.1:9/a', 'ECONNREFUSED', undefined)
    },
    { kind: 'inconclusive', unreachable: 'ECONNREFUSED' },
  ],
  [
    'a missing capability',
    () => {
      throw notOffered('clock')
    },
    { kind: 'not-verifiable', needs: ['clock'] },
  ],
  [
    'an error with the words of all others',
    () => {
      throw new Error('Inconclusive: NotOffered: fetch failed expect(a).toBe(b) Unreachable')
    },
    { kind: 'broken' },
  ],
  [
    'an error that looks like a precondition',
    () => {
      throw Object.assign(new Error('x'), { name: 'Inconclusive', kind: 'inconclusive' })
    },
    { kind: 'broken' },
  ],
]

for (const [what, work, outcome] of rows)
  test(`${what} is ${String(outcome['kind'])}`, () => {
    playwright(outcomeOfError(thrown(work))).toMatchObject(outcome)
  })

test('every error that ends a check is seen as thrown, soft ones too', ({}, info) => {
  const seen = watchErrors(info)
  ours.soft(1, 'a soft one').toBe(2)
  // This test expects its failure: without the hook into Playwright there would be no outcome.
  playwright(seen()).toMatchObject([{ kind: 'violated', expected: '2', actual: '1' }])
  info.errors.length = 0
  info.status = 'passed'
})

test('a check without an assertion kills no mutant', () => {
  const mutant = { id: 'm', breaks: ['a.one'] }
  const trial = { mutant: 'm', rule: 'a.one', ms: 1 } as const
  // It held, or what it met made it end early: neither is an assertion about the rule.
  for (const outcome of ['held', 'inconclusive', 'broken', 'not-verifiable'] as const)
    playwright(killMatrix([mutant], [{ ...trial, outcome }]).killed, outcome).toBe(0)
  // A fault that it met by the way is a finding of another rule.
  const elsewhere = { ...trial, rule: 'transport.answers.schema', outcome: 'violated' } as const
  playwright(killMatrix([mutant], [elsewhere]).killed).toBe(0)
})
