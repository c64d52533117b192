import { expect, test } from '@playwright/test'
import { runInProcess } from './in-process.ts'

test('a mutant of an operation that the dialect lacks is absent there, and put to no check', async ({}, info) => {
  const { out } = await runInProcess([
    'mutate',
    // By the place where it shows, and by the operation that it needs.
    'invoices.status.outcome/field:invoices.status.status.code.success-as-pending',
    'invoices.duplicate.triple/way-in:triple-without-kind.send',
    '--dialect',
    'ksef',
    '--out',
    info.outputPath('run'),
  ])
  expect(out).toContain('0 killed, 0 survived, 2 not applicable')
  expect(out).toMatch(/absent +\S+triple-without-kind\.send .*no such operation/)
})
