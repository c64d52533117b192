import { expect, test } from '@playwright/test'
import type { OutcomeKind } from '../../lib/outcome.ts'
import { killMatrix, killMatrixPage, unprovedChecks } from '../../reports/kill-matrix.ts'

test('a mutant is killed by a check of a rule that it breaks, and by nothing else', () => {
  const mutants = [
    { id: 'killed', breaks: ['a.one', 'a.two'] },
    { id: 'only inconclusive', breaks: ['a.one'] },
    { id: 'seen by another rule', breaks: ['a.one'] },
    { id: 'never tried', breaks: ['a.three'] },
  ]
  const trial = (mutant: string, rule: string, outcome: OutcomeKind) => ({
    mutant,
    rule,
    outcome,
    ms: 2,
  })
  const matrix = killMatrix(mutants, [
    trial('killed', 'a.one', 'held'),
    trial('killed', 'a.two', 'violated'),
    trial('only inconclusive', 'a.one', 'inconclusive'),
    trial('only inconclusive', 'a.one', 'broken'),
    trial('seen by another rule', 'a.two', 'violated'),
  ])
  expect(matrix.mutants.map(({ id, killed, by }) => [id, killed, by])).toEqual([
    ['killed', true, ['a.two']],
    ['only inconclusive', false, []],
    ['seen by another rule', false, []],
    ['never tried', false, []],
  ])
  expect(matrix).toMatchObject({ killed: 1, survived: 3, exit: 4 })
})

test('a mutant is not applicable only where the dialect has none of its rules', () => {
  const mutants = ['absent', 'partly', 'dead'].map((id) => ({ id, breaks: ['a.one'] }))
  const absent = {
    rule: 'a.one',
    outcome: 'not-applicable',
    reason: 'one spelling only',
    ms: 0,
  } as const
  const seen = { rule: 'a.one', ms: 2 } as const
  const trials = [
    { ...absent, mutant: 'absent' },
    { ...absent, mutant: 'absent' },
    { ...absent, mutant: 'partly' },
    { ...seen, mutant: 'partly', outcome: 'held' },
    { ...absent, mutant: 'dead' },
    { ...seen, mutant: 'dead', outcome: 'violated' },
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

test('a mutant of an operation that the dialect lacks has not survived', () => {
  const breaks = ['a.one']
  const absent = 'no such operation'
  const matrix = killMatrix(
    [
      { id: 'elsewhere', breaks, absent },
      { id: 'here', breaks },
    ],
    [{ rule: 'a.one', mutant: 'here', outcome: 'violated', ms: 1 }],
  )
  expect(matrix.mutants.map(({ notApplicable }) => notApplicable)).toEqual([absent, undefined])
  expect(matrix).toMatchObject({ killed: 1, survived: 0, notApplicable: 1, exit: 0 })
})

test('a check is proved by a mutant that it noticed; one that never ran is not', () => {
  const trial = { mutant: 'm', rule: 'a.one', ms: 1 } as const
  const matrix = killMatrix(
    [{ id: 'm', breaks: ['a.one'] }],
    [
      { ...trial, check: 'notices', outcome: 'violated' },
      { ...trial, check: 'overlooks', outcome: 'held' },
    ],
  )
  const judged = (check: string, verdict: 'pass' | 'not-verifiable' | 'observed' = 'pass') => ({
    check,
    rule: 'a.one',
    verdict,
  })
  const open = unprovedChecks(matrix, [
    judged('notices'),
    judged('overlooks'),
    judged('put to no mutant', 'observed'),
    judged('not verified', 'not-verifiable'),
  ])
  expect(open.map(({ check }) => check)).toEqual(['overlooks', 'put to no mutant'])
})

test('a run without mutants proves nothing', () => {
  expect(killMatrix([], []).exit).toBe(3)
})

test('a mutant whose checks did not report is not run: it has not survived', () => {
  const mutants = ['dead', 'left', 'tried'].map((id) => ({ id, breaks: ['a.one'] }))
  const trial = { rule: 'a.one', ms: 1 } as const
  const matrix = killMatrix(
    mutants,
    [
      { ...trial, mutant: 'dead', outcome: 'violated' },
      { ...trial, mutant: 'tried', outcome: 'held' },
    ],
    new Set(['dead', 'left']),
  )
  expect(matrix).toMatchObject({ killed: 1, survived: 1, notRun: 1, exit: 4 })
  expect(
    killMatrix(
      mutants.slice(0, 2),
      [{ ...trial, mutant: 'dead', outcome: 'violated' }],
      new Set(['left']),
    ),
  ).toMatchObject({ killed: 1, survived: 0, notRun: 1, exit: 3 })
})

test('the page names each check that is put to no mutant, with the reason', () => {
  const page = killMatrixPage(killMatrix([], []), [
    'MUST a.one / any sequence',
    'MUST a.one / notices',
    'MAY receipts.independent',
  ])
  expect(page).toMatch(/^- `MUST a\.one \/ any sequence`: The model compares/mu)
  expect(page).toMatch(/^- `MAY receipts\.independent`: A receipt may outlive/mu)
  expect(page).not.toContain('MUST a.one / notices')
})
