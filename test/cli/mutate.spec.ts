import path from 'node:path'
import { expect, test } from '@playwright/test'
import { knownKillers } from '../../cli/mutate/killers.ts'
import { runMutation } from '../../cli/mutate/run.ts'
import { mutants } from '../../reference/mutants/mutants.ts'
import type { Finding } from '../../reports/finding.ts'
import { runInProcess } from './in-process.ts'

test('a mutant that changes nothing in a dialect is absent there, and no check runs for it', async ({}, info) => {
  const { out } = await runInProcess([
    'mutate',
    // Absent because of the field in which it shows, and because of the operation that it needs.
    'invoices.status.outcome/field:invoices.status.status.code.success-as-pending',
    'invoices.duplicate.triple/way-in:triple-without-kind.send',
    // Absent because every environment has this factor anyway.
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

test('`--sample-seed` draws other generated mutants, whatever the seed of the checks', async () => {
  const listed = async (...more: string[]) =>
    (await runInProcess(['mutate', 'keys', 'auth', '--list', '--sample', '20', ...more])).out
  const [first, second, again] = await Promise.all([
    listed('--seed', '1', '--sample-seed', '7'),
    listed('--seed', '1', '--sample-seed', '8'),
    listed('--seed', '2', '--sample-seed', '7'),
  ])
  expect(second).not.toBe(first)
  expect(again).toBe(first)
})

/** A mutant with the check that is known to notice it, and a run of `mutate` for it alone. */
const known = (folder: string) => {
  const [id = '', [check = ''] = []] = [...knownKillers()][0] ?? []
  const [rule = ''] = mutants[id]?.breaks ?? []
  const stop = new AbortController()
  const io = {
    out: () => undefined,
    err: () => undefined,
    env: {},
    cwd: folder,
    interactive: false,
    signal: stop.signal,
  }
  const args = {
    ids: [id],
    every: false,
    seed: 1,
    dialect: undefined,
    pairs: 'until-proved',
    quick: false,
    workers: undefined,
    out: path.join(folder, 'run'),
  } as const
  const held = { mutant: id, rule, check, outcome: 'held', ms: 1 } as const
  return { args, io, stop, held }
}

test('a check that fails on the sound reference in the second round is named', async ({}, info) => {
  const { args, io, held } = known(info.outputPath())
  const { rule, check } = held
  const failed = { rule, check, verdict: 'fail', ms: 1 } as Finding
  let rounds = 0
  const { sound } = await runMutation(args, io, () => {
    rounds += 1
    const findings = rounds === 2 ? [failed] : []
    return Promise.resolve({ findings, planned: 1, notRun: [], trials: [held] })
  })
  expect(rounds).toBe(2)
  expect(sound).toEqual([failed])
})

for (const [what, throws] of [
  ['after the first round', false],
  ['before the first check of the second', true],
] as const)
  test(`a mutant that its known killer missed was not run when \`mutate\` is interrupted ${what}`, async ({}, info) => {
    const { args, io, stop, held } = known(info.outputPath())
    let rounds = 0
    const { matrix, unproved } = await runMutation(args, io, () => {
      rounds += 1
      if (rounds === 2 || !throws) stop.abort('SIGINT')
      if (rounds === 2) return Promise.reject(new Error('interrupted before the first check'))
      return Promise.resolve({ findings: [], planned: 1, notRun: [], trials: [held] })
    })
    expect(rounds).toBe(throws ? 2 : 1)
    expect(matrix).toMatchObject({ killed: 0, survived: 0, notRun: 1, exit: 3 })
    expect(unproved).toEqual([])
  })

test('an interrupted `mutate --client` says what was not run, and is no verdict', async () => {
  const stop = new AbortController()
  const { exit, out } = await runInProcess(['mutate', '--client', '--seed', '1', '--json'], {
    signal: stop.signal,
    err: () => stop.abort('SIGINT'),
  })
  const { mutants: rows, ...said } = JSON.parse(out) as {
    readonly mutants: readonly { readonly notRun?: true }[]
    readonly killed: number
    readonly notRun: number
  }
  expect(said).toMatchObject({ survived: 0, exit: 130, sound: { ordeals: 0, convictions: [] } })
  expect(exit).toBe(130)
  expect(said.killed).toBeGreaterThan(0)
  expect(said.killed + said.notRun).toBe(rows.length)
  expect(rows.filter(({ notRun }) => notRun === true)).toHaveLength(said.notRun)
})
