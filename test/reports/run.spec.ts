import { expect, test } from '@playwright/test'
import type { Finding } from '../../reports/finding.ts'
import { coverageLine } from '../../reports/run.ts'
import type { Run } from '../../reports/run.ts'

const facts = {
  started: '2026-06-15T08:00:00.000Z',
  finished: '2026-06-15T08:01:00.000Z',
  seed: 7,
  namespace: 'n',
  target: 'embedded reference',
  version: '0.1.0',
}

const runOf = (findings: readonly Finding[]): Run => ({
  facts,
  findings,
  planned: findings.length,
  notRun: [],
})

const unverified = (reasons: number): Finding[] =>
  Array.from({ length: reasons }, (_, place) => ({
    rule: 'auth.redeem.once',
    check: `MUST auth.redeem.once / ${place}`,
    verdict: 'not-verifiable',
    ms: 1,
    reason: `reason ${place}; what to do`,
  }))

test('the line of what was verified names eight reasons, and how many there are besides', () => {
  const few = coverageLine(runOf(unverified(3)))
  expect(few).toBe(
    'verified 0 of 3 (0 %), not verifiable 3 (1: reason 0; 1: reason 1; 1: reason 2)',
  )
  const many = coverageLine(runOf(unverified(20)))
  expect(many).toContain('1: reason 7; 12 for 12 rarer reasons)')
  expect(many).not.toContain('reason 8')
})
