import { expect, test } from '@playwright/test'
import { exitCodeOf, totalsOf } from '../../reports/finding.ts'
import type { Finding, Verdict } from '../../reports/finding.ts'
import { judge, killMatrix, outcomeOfError } from '../../reports/verdict.ts'
import type { Circumstances, Outcome } from '../../reports/verdict.ts'

/** What an outcome means, as the table of verdicts says. */

const plain: Circumstances = { level: 'MUST', unconfirmed: false, known: false, strict: false }

const table: readonly (readonly [Outcome, Partial<Circumstances>, Verdict])[] = [
  ['held', {}, 'pass'],
  ['contradicted', {}, 'fail'],
  ['held', { level: 'SHOULD' }, 'pass'],
  ['contradicted', { level: 'SHOULD' }, 'warn'],
  ['contradicted', { level: 'SHOULD', strict: true }, 'fail'],
  ['held', { level: 'MAY' }, 'observed'],
  ['contradicted', { level: 'MAY', strict: true }, 'observed'],
  ['held', { unconfirmed: true }, 'pass'],
  ['contradicted', { unconfirmed: true }, 'observed'],
  ['contradicted', { known: true }, 'known'],
  ['held', { known: true }, 'fail'],
  ['inconclusive', { known: true }, 'inconclusive'],
  ['broken', { level: 'MAY' }, 'broken'],
  ['unmet', {}, 'not-verifiable'],
  ['absent', { strict: true }, 'not-applicable'],
]

for (const [outcome, circumstances, verdict] of table)
  test(`${outcome} ${JSON.stringify(circumstances)} is ${verdict}`, () => {
    expect(judge(outcome, { ...plain, ...circumstances })).toBe(verdict)
  })

for (const [message, outcome] of [
  ['Error: expect(received).toBe(expected) // Object.is equality', 'contradicted'],
  [
    'Error: a reason\n\n\u001b[2mexpect(\u001b[22mreceived\u001b[2m).\u001b[22mtoBe',
    'contradicted',
  ],
  ['Error: a reason\n\nRequirement not met: something', 'contradicted'],
  ['Inconclusive: open a session: expected 201', 'inconclusive'],
  ['Unreachable: no answer from http://127.0.0.1:9', 'inconclusive'],
  ['TypeError: x is not a function', 'broken'],
  ['Test timeout of 60000ms exceeded.', 'broken'],
] as const)
  test(`"${message.slice(0, 40)}" is ${outcome}`, () => {
    expect(outcomeOfError(message)).toBe(outcome)
  })

const finding = (verdict: Verdict): Finding => ({ rule: 'a.b', check: 'c', verdict, ms: 1 })

for (const [verdicts, exit] of [
  [['pass', 'not-verifiable'], 0],
  [['pass', 'warn', 'observed', 'known', 'not-applicable'], 0],
  [['pass', 'fail', 'inconclusive'], 1],
  [['pass', 'inconclusive'], 3],
  [['pass', 'broken'], 3],
  [['not-verifiable'], 3],
  [[], 3],
] as const)
  test(`${verdicts.join(', ') || 'nothing'} ends with ${exit}`, () => {
    expect(exitCodeOf(totalsOf(verdicts.map(finding)))).toBe(exit)
  })

test('a mutant is killed by a check of a rule that it breaks, and by nothing else', () => {
  const mutants = [
    { id: 'killed', breaks: ['a.one', 'a.two'] },
    { id: 'only inconclusive', breaks: ['a.one'] },
    { id: 'seen by another rule', breaks: ['a.one'] },
    { id: 'never tried', breaks: ['a.three'] },
  ]
  const trial = (mutant: string, rule: string, outcome: Outcome) => ({
    mutant,
    rule,
    outcome,
    ms: 2,
  })
  const matrix = killMatrix(mutants, [
    trial('killed', 'a.one', 'held'),
    trial('killed', 'a.two', 'contradicted'),
    trial('only inconclusive', 'a.one', 'inconclusive'),
    trial('only inconclusive', 'a.one', 'broken'),
    trial('seen by another rule', 'a.two', 'contradicted'),
  ])
  expect(matrix.mutants.map(({ id, killed, by }) => [id, killed, by])).toEqual([
    ['killed', true, ['a.two']],
    ['only inconclusive', false, []],
    ['seen by another rule', false, []],
    ['never tried', false, []],
  ])
  expect(matrix).toMatchObject({ killed: 1, survived: 3, exit: 4 })
})

test('a mutant is no defect where the dialect has none of its rules, and only there', () => {
  const mutants = ['absent', 'partly', 'dead'].map((id) => ({ id, breaks: ['a.one'] }))
  const absent = { rule: 'a.one', outcome: 'absent', reason: 'one spelling only', ms: 0 } as const
  const seen = { rule: 'a.one', ms: 2 } as const
  const trials = [
    { ...absent, mutant: 'absent' },
    { ...absent, mutant: 'absent' },
    { ...absent, mutant: 'partly' },
    { ...seen, mutant: 'partly', outcome: 'held' },
    { ...absent, mutant: 'dead' },
    { ...seen, mutant: 'dead', outcome: 'contradicted' },
  ] as const
  const matrix = killMatrix(mutants, trials)
  expect(matrix.mutants.map(({ notApplicable }) => notApplicable)).toEqual([
    'one spelling only',
    undefined,
    undefined,
  ])
  expect(matrix).toMatchObject({ killed: 1, survived: 1, notApplicable: 1, exit: 4 })
  expect(killMatrix(mutants.slice(0, 1), trials).exit, 'nothing was put to a check').toBe(3)
})

test('no mutants at all are no proof', () => {
  expect(killMatrix([], []).exit).toBe(3)
})
