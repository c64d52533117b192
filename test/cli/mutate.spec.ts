import { expect, test } from '@playwright/test'
import { runInProcess } from './in-process.ts'

test('a mutant that changes nothing in a dialect is absent there, and put to no check', async ({}, info) => {
  const { out } = await runInProcess([
    'mutate',
    // By the place where it shows, and by the operation that it needs.
    'invoices.status.outcome/field:invoices.status.status.code.success-as-pending',
    'invoices.duplicate.triple/way-in:triple-without-kind.send',
    // What every environment has.
    'limits.rate.by-environment/environment:rateFactor.1',
    '--dialect',
    'ksef',
    '--out',
    info.outputPath('run'),
  ])
  expect(out).toContain('0 killed, 0 survived, 3 not applicable')
  expect(out).toMatch(/absent +\S+triple-without-kind\.send .*no such operation/)
})
