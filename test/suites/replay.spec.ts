import { expect, test } from '@playwright/test'
import { replayOf } from '../../suites/support/checks/replay.ts'
import { readRunOptions } from '../../suites/support/checks/run-options.ts'

const subject = { rule: 'auth.challenge.public', variant: undefined, mutant: undefined } as const

test('the command of a replay repeats what the verdict of a check rests on', () => {
  const options = readRunOptions({
    ASSAY_SEED: '7',
    ASSAY_NAMESPACE: 'n',
    ASSAY_INVOICES: "/tmp/it's mine",
    ASSAY_UNMODIFIED: '1',
    ASSAY_DOCUMENTS: '100',
    ASSAY_STRICT: '1',
    ASSAY_BASELINE: '/tmp/baseline.json',
  })
  expect(replayOf(subject, undefined, options)).toBe(
    String.raw`assay check auth.challenge.public --seed 7 --namespace n --invoices '/tmp/it'\''s mine' --unmodified --documents 100 --strict --baseline /tmp/baseline.json`,
  )
})

test('the command of a replay leaves out what is so by default', () => {
  const options = readRunOptions({ ASSAY_SEED: '7', ASSAY_NAMESPACE: 'n' })
  expect(replayOf(subject, undefined, options)).toBe(
    'assay check auth.challenge.public --seed 7 --namespace n',
  )
})
