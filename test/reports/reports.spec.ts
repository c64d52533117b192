import { expect, test } from '@playwright/test'
import { rules } from '../../contract/rules.ts'
import { causesOf } from '../../reports/causes.ts'
import { summary } from '../../reports/console.ts'
import type { Finding } from '../../reports/finding.ts'
import { junit } from '../../reports/junit.ts'
import type { Run } from '../../reports/run.ts'

/** What a reader of a report needs: what was expected, what came instead, and one cause once. */

const failure: Finding = {
  rule: 'auth.challenge.public',
  check: 'MUST auth.challenge.public',
  verdict: 'fail',
  ms: 3,
  reason: 'Requirement not met',
  expected: 'success (200)',
  actual: '401, code 21301',
  replay: 'assay check auth.challenge.public --seed 1',
}

const runOf = (findings: readonly Finding[]): Run => ({
  facts: { started: '', finished: '', seed: 1, namespace: 'n', target: 't', version: '0' },
  findings,
  planned: findings.length,
  notRun: [],
})

test('JUnit shows what was expected and what came instead', () => {
  const xml = junit(runOf([failure]), rules)
  const [, message = ''] = /<failure message="([^"]*)"/.exec(xml) ?? []
  expect(message).toContain('expected: success (200)')
  expect(message).toContain('actual: 401, code 21301')
})

const refusedLogin = (rule: string): Finding => ({
  ...failure,
  rule,
  verdict: 'inconclusive',
  cause: 'log in: expected 202',
})

test('findings with one cause are one group, whatever their verdicts', () => {
  const three = ['tokens.list', 'tokens.create', 'keys.list'].map(refusedLogin)
  const other: Finding = { ...refusedLogin('queries.paged'), verdict: 'broken' }
  const { causes, left } = causesOf([failure, ...three, other])
  expect(causes).toEqual([{ text: 'log in: expected 202', findings: [...three, other], rules: 4 }])
  expect(left).toEqual([failure])
  const printed = summary(runOf([failure, ...three]), () => undefined).join('\n')
  expect(printed.match(/log in: expected 202/g)).toHaveLength(1)
  expect(printed).toContain('3 checks of 3 rules, one cause')
})
