import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { commandLine } from '../served.ts'
import { programsOf } from './programs-of.ts'

/** A run that does not come to its end is incomplete, says which checks are missing, and never exits with 0. */

test.describe.configure({ timeout: 180_000 })

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly folder: string
}

const descendants = (pid: number): number[] => {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .map((line) => Number(line.trim()))
    .filter((child) => child > 0)
}

const lines = (file: string): number =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0

/** Runs the command line until it has that many findings, then does something to it and awaits its end. */
const cutShort = async (
  args: readonly string[],
  folder: string,
  disturb: (pid: number) => void,
): Promise<Ended> => {
  const child = spawn(process.execPath, [commandLine(), ...args, '--json', '--out', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()))
  const ended = once(child, 'close') as Promise<[number | null]>
  const watch = setInterval(() => {
    if (lines(path.join(folder, 'findings.ndjson')) < 2) return
    clearInterval(watch)
    disturb(child.pid ?? 0)
  }, 50)
  const [code] = await ended
  clearInterval(watch)
  return { code, out, folder }
}

const killPlaywright = (pid: number): void => {
  for (const child of descendants(pid)) process.kill(child, 'SIGKILL')
}
const interrupt = (pid: number): void => void process.kill(pid, 'SIGINT')

const rows: readonly (readonly [string, (pid: number) => void, number])[] = [
  ['whose test runner is killed', killPlaywright, 3],
  ['that is interrupted', interrupt, 130],
]

test.skip(process.platform === 'win32', 'signals of processes are those of POSIX')

for (const [what, disturb, exit] of rows)
  test(`a check ${what} is incomplete, exit ${exit}`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-incomplete-'))
    const { code, out } = await cutShort(
      ['check', 'keys', 'auth.challenge', 'auth.redeem', '--report'],
      folder,
      disturb,
    )
    const result = JSON.parse(out) as {
      verdict: string
      planned: number
      notRun: readonly unknown[]
      findings: readonly unknown[]
      exit: number
    }
    expect(result).toMatchObject({ verdict: 'incomplete', exit })
    expect(code).toBe(exit)
    expect(result.notRun.length).toBeGreaterThan(0)
    expect(result.findings.length + result.notRun.length).toBeGreaterThanOrEqual(result.planned)
    expect(readFileSync(path.join(folder, 'junit.xml'), 'utf8')).toContain('not run: incomplete')
    expect(readFileSync(path.join(folder, 'requirements.md'), 'utf8')).toContain(
      'Verdict: incomplete',
    )
    await expect.poll(() => programsOf(folder), 'what it started has ended').toEqual([])
    rmSync(folder, { recursive: true })
  })

for (const [what, disturb, exit] of rows)
  test(`a kill matrix ${what} has mutants that were not run, exit ${exit}`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-incomplete-'))
    const { code, out } = await cutShort(['mutate', 'keys'], folder, disturb)
    const matrix = JSON.parse(out) as { notRun: number; survived: number }
    expect(matrix.notRun).toBeGreaterThan(0)
    expect(matrix.survived).toBe(0)
    expect(code).toBe(exit)
    await expect.poll(() => programsOf(folder), 'what it started has ended').toEqual([])
    rmSync(folder, { recursive: true })
  })
