import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { commandLine } from '../served.ts'
import { findK6 } from '../../load/engine.ts'
import { programsOf } from './programs-of.ts'

/** The built program as a process: pipes that close, disks that are full, and Ctrl-C. */

let directory: string
test.beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'assay-terminal-'))
})
test.afterEach(() => {
  rmSync(directory, { recursive: true })
})

/** The program, and everything it wrote. */
const start = (...args: string[]) => {
  const child = spawn(process.execPath, [commandLine(), ...args], { cwd: directory })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()))
  return { child, said, ended: once(child, 'close') as Promise<[number | null]> }
}

const until = async (
  child: ChildProcessWithoutNullStreams,
  condition: () => boolean,
): Promise<void> => {
  while (!condition() && child.exitCode === null) await pause(20)
}

test('a closed pipe ends `assay list --json` without a message', async () => {
  const { child, said, ended } = start('list', '--json')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await ended
  expect(said.err).toBe('')
  expect(code).toBe(0)
})

test('a closed pipe ends a long run of generate', async () => {
  const { child, said, ended } = start('generate', '--count', '1000000', '--json', '--quiet')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await ended
  expect(said.err).toBe('')
  expect(code).toBe(130)
})

test('a full disk behind standard output is reported in one sentence', async () => {
  test.skip(!existsSync('/dev/full'), 'this system has no /dev/full')
  const child = spawn(process.execPath, [commandLine(), 'list'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })
  let err = ''
  child.stderr!.on('data', (chunk: Buffer) => void (err += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(err).toMatch(/^assay: standard output: the disk is full[^\n]*\n$/)
  expect(code).toBe(3)
})

const limited = [
  [
    'generate --count 1 --lines 400 --seed 1 --out limited',
    'larger than the limit on files allows',
  ],
  ['check auth.challenge --out limited', 'larger than the limit on files allows'],
  ['mutate auth.challenge --out limited', 'larger than the limit on files allows'],
  ['load session-throughput --out limited', 'larger than the limit on files allows'],
  ['serve --port 0 --data limited', 'has no room'],
] as const

for (const [command, says] of limited)
  test(`a limit on file size is reported in one sentence: assay ${command}`, async () => {
    test.skip(process.platform === 'win32', 'this system has no ulimit')
    // Where k6 is missing, its build is what the limit ends.
    const needsK6 = command.startsWith('load ')
    test.skip(needsK6 && 'missing' in (await findK6({ build: false })), 'k6 is not installed')
    const line = `${command} --quiet`
    const child = spawn(
      'sh',
      ['-c', `ulimit -f 8; exec "$0" "$@"`, process.execPath, commandLine(), ...line.split(' ')],
      { cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => void (err += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    expect(err).toMatch(/^assay: [^\n]+\n$/)
    expect(err).toContain(says)
    expect(code).toBe(3)
  })

const unwritable = [
  ['generate --count 1 --out file/sub', 'file/sub'],
  ['check auth.challenge --out file/sub', 'file/sub'],
  ['serve --port 0 --data file/sub', 'file/sub'],
  ['generate --count 1 --out /sys/assay', '/sys/assay'],
  ['check auth.challenge --out /proc/assay', '/proc/assay'],
  ['serve --port 0 --data /proc/assay', '/proc/assay'],
  ['serve --port 0 --export /proc/assay', '/proc/assay cannot be created there'],
  ['serve --port 0 --ready-file /proc/assay/ready', '/proc/assay cannot be created there'],
] as const

for (const [line, says] of unwritable)
  test(`an unwritable path is reported in one sentence: assay ${line}`, async () => {
    const [, root = '/'] = / (\/sys|\/proc)/.exec(line) ?? []
    test.skip(!existsSync(root), `this system has no ${root}`)
    writeFileSync(path.join(directory, 'file'), 'not a directory')
    const { said, ended } = start(...line.split(' '), '--quiet')
    const [code] = await ended
    expect(said.err).toMatch(/^assay: [^\n]+\n$/)
    expect(said.err).toContain(says)
    expect([2, 3]).toContain(code)
  })

test('Ctrl-C stops generate and exits 130; the same command continues', async () => {
  const { child, said, ended } = start('generate', '--count', '5000', '--seed', '1')
  await until(child, () => existsSync(path.join(directory, 'generated/index.ndjson')))
  child.kill('SIGINT')
  const [code] = await ended
  expect(code).toBe(130)
  expect(said.err).toContain('run the same command again to continue')
})

test('a second Ctrl-C ends a check that does not stop, and all that it started', async () => {
  const { child, said, ended } = start(
    'check',
    'auth.challenge',
    '--out',
    path.join(directory, 'run'),
  )
  await until(child, () => existsSync(path.join(directory, 'run/findings.ndjson')))
  child.kill('SIGINT')
  await until(child, () => said.err.includes('press Ctrl-C again'))
  child.kill('SIGINT')
  const [code] = await ended
  expect(code).toBe(130)
  await expect.poll(() => programsOf(directory), { timeout: 30_000 }).toEqual([])
})

test('a check ends when the program that started it is killed', async () => {
  const { child, ended } = start('check', 'auth.challenge', '--out', path.join(directory, 'run'))
  await until(child, () => existsSync(path.join(directory, 'run/findings.ndjson')))
  child.kill('SIGKILL')
  await ended
  await expect.poll(() => programsOf(directory), { timeout: 30_000 }).toEqual([])
})

test('Ctrl-C ends serve cleanly', async () => {
  const { child, said, ended } = start('serve', '--port', '0', '--json')
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  const [code] = await ended
  expect(said.err).toBe('')
  expect(code).toBe(0)
})
