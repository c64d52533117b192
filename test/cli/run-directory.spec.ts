import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { Io } from '../../cli/io.ts'
import { runNamesOf, shareOf, sharesOf } from '../../cli/options.ts'
import { lastRunDirectory, openRunDirectory } from '../../cli/run-directory.ts'
import { runInProcess } from './in-process.ts'

/** Runs never write into each other's directories. */

const ioAt = (cwd: string): Io => ({
  out: () => {},
  err: () => {},
  env: {},
  cwd,
  interactive: false,
  signal: new AbortController().signal,
})

test('every run has its own directory, and `latest` points to the last one', () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'assay-runs-'))
  const io = ioAt(cwd)
  const first = openRunDirectory(undefined, 'check', io)
  const second = openRunDirectory(undefined, 'check', io)
  expect(second.out).not.toBe(first.out)
  expect(realpathSync(lastRunDirectory(undefined, io))).toBe(realpathSync(second.out))
  expect(realpathSync(path.join(cwd, 'reports/out/latest'))).toBe(realpathSync(second.out))
  first.release()
  second.release()
  rmSync(cwd, { recursive: true })
})

test('a file names the last run where links cannot be created', () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'assay-runs-'))
  const runs = path.join(cwd, 'reports/out')
  mkdirSync(path.join(runs, '20260101-000000-check-aaaa'), { recursive: true })
  writeFileSync(path.join(runs, 'latest'), '20260101-000000-check-aaaa\n')
  expect(lastRunDirectory(undefined, ioAt(cwd))).toBe(path.join(runs, '20260101-000000-check-aaaa'))
  rmSync(cwd, { recursive: true })
})

test('a given directory loses the files of an earlier run, and no others', () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'assay-runs-'))
  mkdirSync(path.join(cwd, 'o/allure-results'), { recursive: true })
  for (const file of ['findings.ndjson', 'junit.xml', 'notes.md', 'allure-results/a.json'])
    writeFileSync(path.join(cwd, 'o', file), 'x')
  const { release } = openRunDirectory('o', 'check', ioAt(cwd))
  expect(
    ['findings.ndjson', 'junit.xml', 'allure-results'].filter((one) =>
      existsSync(path.join(cwd, 'o', one)),
    ),
  ).toEqual([])
  expect(existsSync(path.join(cwd, 'o/notes.md'))).toBe(true)
  expect(() => openRunDirectory('o', 'check', ioAt(cwd))).toThrow(/another run \(process \d+\)/)
  release()
  openRunDirectory('o', 'check', ioAt(cwd)).release()
  rmSync(cwd, { recursive: true })
})

test('a load refuses a directory that another run writes into, and gives its own back', async ({}, info) => {
  const out = info.outputPath('run')
  const { release } = openRunDirectory(out, 'check', ioAt(info.outputPath()))
  const line = ['load', '--out', out, '--rate', '0']
  const refused = await runInProcess(line)
  expect(refused.err).toMatch(/another run \(process \d+\) is writing there/)
  expect(refused.exit).toBe(2)
  release()
  expect((await runInProcess(line)).err).toContain('--rate: expected a number above 0')
  openRunDirectory(out, 'check', ioAt(info.outputPath())).release()
})

test('a repeated namespace counts as a new run on a target that keeps running', () => {
  const now = Date.parse('2026-06-15T08:00:00Z')
  expect(runNamesOf('abc', { runsOn: false, now })).toEqual({ namespace: 'abc' })
  const { run, ...first } = runNamesOf('abc', { runsOn: true, now })
  const later = runNamesOf('abc', { runsOn: true, now: now + 1_000 })
  expect(first).toEqual({ namespace: 'abc' })
  expect(run).toMatch(/^[a-z0-9]+$/)
  expect(later.run).not.toBe(run)
  expect(runNamesOf(`abc.${run}`, { runsOn: true })).toEqual({ namespace: 'abc', run })
  expect(runNamesOf(undefined, { runsOn: true })).not.toHaveProperty('run')
})

for (const [given, share] of [
  ['80%', 0.8],
  ['0', 0],
  ['100 %', 1],
] as const)
  test(`--min-verified ${given} is ${share}`, () => {
    expect(shareOf('min-verified', given)).toBe(share)
  })

for (const given of ['101%', '-1', 'most'])
  test(`--min-verified ${given} is refused`, () => {
    expect(() => shareOf('min-verified', given)).toThrow(/expected a percentage/)
  })

test('--min-verified takes shares of all checks and of areas', () => {
  expect(sharesOf('min-verified', ['80%', 'auth=90%', 'limits=5'])).toEqual({
    minVerified: 0.8,
    minVerifiedOf: { auth: 0.9, limits: 0.05 },
  })
  expect(sharesOf('min-verified', undefined)).toEqual({})
  expect(() => sharesOf('min-verified', ['login=80%'])).toThrow(
    /expected an area.*received "login"/,
  )
  expect(() => sharesOf('min-verified', ['auth=most'])).toThrow(/expected a percentage/)
})
