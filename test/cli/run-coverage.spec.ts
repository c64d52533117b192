import { expect, test } from '@playwright/test'
import { compareWithRun } from '../../cli/coverage/run.ts'
import { withShownCells } from '../../cli/coverage/showing.ts'
import type { RegisteredCheck } from '../../cli/registered.ts'
import { dialects } from '../../contract/dialects.ts'
import type { Verdict } from '../../reports/finding.ts'
import { runCoverageLines } from '../../reports/run-coverage.ts'
import { createShownRecord, mergeShown } from '../../reports/shown-record.ts'
import { titleOf } from '../../suites/support/checks/rule.ts'

/** What a run showed of the matrices, compared with what its checks should have shown. */

const unnamed: RegisteredCheck = {
  rule: 'exports.expiry',
  variant: 'status',
  file: 'exports/expiry.spec.ts',
}
const title = titleOf(unnamed.rule, unnamed.variant)
const cell = 'export 200 -> 210'
const checks = withShownCells([unnamed], { transition: { [cell]: title } })

const recordOf = (
  check: string,
  transitions: readonly string[],
  illegal: readonly string[] = [],
) => {
  const record = createShownRecord()
  record.add(check, { cells: { transition: transitions }, answers: [], illegal, absent: [] })
  return record.all()
}

const comparedWith = (transitions: readonly string[], verdict: Verdict | undefined) => {
  const findings = verdict === undefined ? [] : [{ check: title, verdict }]
  const record = recordOf(title, transitions)
  const { matrices } = compareWithRun(record, findings, checks, dialects.svc)
  return matrices.find(({ matrix }) => matrix === 'transition')!
}

test('a cell that its check did not show is missed, with the file where its check belongs', () => {
  const { shown, missed } = comparedWith([], 'pass')
  expect(shown).toBe(0)
  expect(missed).toMatchObject([
    { matrix: 'transition', cell, file: unnamed.file, checks: [title] },
  ])
})

test('a cell is shown by any check of the run', () => {
  const { shown, missed } = comparedWith([cell], 'pass')
  expect([shown, missed]).toEqual([1, []])
})

test('a check that failed, could not be verified or was not part of the run misses nothing', () => {
  expect(comparedWith([], 'fail')).toMatchObject({ missed: [], unverified: 1 })
  expect(comparedWith([], 'not-verifiable')).toMatchObject({ missed: [], unverified: 1 })
  expect(comparedWith([], undefined)).toMatchObject({ missed: [], unverified: 0 })
})

test('the terminal names what was missed, and steps that no lifecycle permits', () => {
  const record = recordOf(title, [], ['export 210 -> 200'])
  const findings = [{ check: title, verdict: 'pass' as const }]
  const coverage = compareWithRun(record, findings, checks, dialects.svc)
  expect(runCoverageLines(coverage)).toEqual([
    'shown: transition 0 of 1',
    '  not shown: transition export 200 -> 210 (suites/exports/expiry.spec.ts)',
    `  illegal step: export 210 -> 200, in ${title}`,
  ])
})

test('the parts of a run show together what each of them shows', () => {
  const one = recordOf('one', [cell, 'export 100 -> 200'])
  const other = recordOf('other', [cell], ['export 210 -> 200'])
  expect(mergeShown([one, other])).toEqual({
    checks: ['one', 'other'],
    cells: { transition: { [cell]: [0, 1], 'export 100 -> 200': [0] } },
    answers: {},
    illegal: { 'export 210 -> 200': [1] },
    absent: [],
  })
})
