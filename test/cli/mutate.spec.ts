import { expect, test } from '@playwright/test'
import { runInProcess } from './in-process.ts'

test('a mutant that changes nothing in a dialect is absent there, and no check runs for it', async ({}, info) => {
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

test('the shards of `mutate` contain every mutant once, and each has some of a rule', async () => {
  const listed = async (...more: string[]) =>
    (await runInProcess(['mutate', 'keys', 'auth', '--list', ...more])).out.trim().split('\n')
  const all = await listed()
  const shards = await Promise.all([1, 2, 3].map((part) => listed('--shard', `${part}/3`)))
  expect(shards.flat().toSorted()).toEqual(all.toSorted())
  for (const shard of shards)
    expect(shard.filter((line) => line.startsWith('auth.challenge')).length).toBeGreaterThan(1)
})

test('a shard of the mutants proves no check, and `mutate` says so', async () => {
  const { exit, err } = await runInProcess(['mutate', '--shard', '1/2', '--proof'])
  expect(exit).toBe(2)
  expect(err).toContain('--shard cannot be combined with --proof')
})
