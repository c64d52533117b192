import { expect, test } from '@playwright/test'
import { createConformityFindings } from '../../reports/conformity-findings.ts'
import type { ConformityNote } from '../../reports/conformity-findings.ts'

/** Faults of answers in a run: one finding per rule and operation; a baseline entry that hides none is an error. */

const note = (more: Partial<ConformityNote>): ConformityNote => ({
  rule: 'transport.answers.schema',
  operation: 'auth.challenge',
  level: 'MUST',
  verdict: 'fail',
  answers: 2,
  faults: [],
  replay: 'assay check transport.answers.schema',
  exchange: { curl: 'curl', status: 200, answer: '{}', ms: 1 },
  ...more,
})

test('answers that conform make their entry of the baseline stale', () => {
  const findings = createConformityFindings()
  expect(findings.add([note({ known: 'issue 7' })])).toEqual([])
  expect(findings.all()).toEqual([])
  const [stale] = findings.stale()
  expect(stale).toMatchObject({ verdict: 'fail', variant: 'answers of auth.challenge' })
  expect(stale?.reason).toMatch(/issue 7.*2 answers.*remove/)
})

test('one answer with the fault keeps the entry, however many conform', () => {
  const findings = createConformityFindings()
  findings.add([note({ known: 'issue 7' })])
  const faulty = note({ known: 'issue 7', verdict: 'known', faults: ['/a must be string'] })
  expect(findings.add([faulty])).toMatchObject([{ verdict: 'known' }])
  findings.add([note({ known: 'issue 7' })])
  expect(findings.stale()).toEqual([])
  expect(findings.all()).toMatchObject([{ verdict: 'known', reason: 'known: issue 7' }])
})
