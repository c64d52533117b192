import { expect, test } from '@playwright/test'
import { rules } from '../../contract/rules.ts'
import { causesOf } from '../../reports/causes.ts'
import { summary } from '../../reports/console.ts'
import type { Finding } from '../../reports/finding.ts'
import { junit } from '../../reports/junit.ts'
import { conclusionOf, verdictLine } from '../../reports/run.ts'
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

test('an area that was verified less than asked for leaves a run without a verdict', () => {
  const passed: Finding = { ...failure, verdict: 'pass' }
  const unseen: Finding = { ...failure, verdict: 'not-verifiable' }
  const run = runOf([passed, unseen, { ...passed, rule: 'keys.list' }])
  const asking = (minVerifiedOf: Record<string, number>): Run => ({
    ...run,
    facts: { ...run.facts, minVerified: 0.6, minVerifiedOf },
  })
  expect(conclusionOf(asking({ keys: 1, auth: 0.5 })).exit).toBe(0)
  const less = asking({ keys: 1, auth: 0.8, sessions: 0.1 })
  expect(conclusionOf(less)).toEqual({ verdict: 'no verdict', exit: 3 })
  expect(verdictLine(less)).toBe(
    'no verdict: 50 % of auth verified, at least 80 % asked for; 0 % of sessions verified, at least 10 % asked for',
  )
})
