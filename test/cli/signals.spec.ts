import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { commandLine, serve } from '../served.ts'
import type { Served } from '../served.ts'
import { programsOf } from './programs-of.ts'

/** However a run at a target is ended short of a kill, its secrets do not stay on disk. */

test.skip(process.platform === 'win32', 'signals of processes are those of POSIX')

let served: Served
test.beforeAll(async () => {
  served = await serve()
})
test.afterAll(() => served.stop())

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-signals-'))
  mkdirSync(path.join(folder, 'tmp'))
})
test.afterEach(() => {
  rmSync(folder, { recursive: true })
})

const inTemporary = (pattern: RegExp): string[] =>
  readdirSync(path.join(folder, 'tmp'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    pattern.test(file),
  )

/** A k6 that sends nothing and goes on until it is killed. */
const stubbornK6 = `#!/bin/sh
if [ "$1" = version ]; then echo 'k6 v2.2.0'; exit; fi
trap '' INT
echo > "$0-runs"
exec sleep 60
`

const start = (line: string) => {
  const target = path.join(folder, 'target.json')
  writeFileSync(target, JSON.stringify({ ...served.profile, headers: { 'x-key': 'secret' } }))
  const k6 = path.join(folder, 'k6')
  writeFileSync(k6, stubbornK6, { mode: 0o755 })
  const args = [...line.split(' '), '--target', target, '--out', path.join(folder, 'run')]
  const child = spawn(process.execPath, [commandLine(), ...args], {
    env: { ...process.env, TMPDIR: path.join(folder, 'tmp'), K6_BINARY: k6 },
  })
  const said = { err: '' }
  child.stdout.resume()
  child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()))
  return { child, said, ended: once(child, 'close') as Promise<[number | null]> }
}

const until = async (child: ChildProcess, condition: () => boolean): Promise<void> => {
  while (!condition() && child.exitCode === null && child.signalCode === null) await pause(20)
}

test('SIGHUP ends a check as SIGTERM does, and its secrets are removed', async () => {
  const { child, said, ended } = start('check auth.challenge')
  await until(child, () => existsSync(path.join(folder, 'run/findings.ndjson')))
  expect(inTemporary(/^assay-target-.*secret-1$/)).toHaveLength(1)
  child.kill('SIGHUP')
  // A terminal that closes may send it twice.
  await until(child, () => said.err.includes('stopping'))
  child.kill('SIGHUP')
  const [code] = await ended
  expect(said.err).toContain('stopping')
  expect(inTemporary(/^assay-/)).toEqual([])
  expect(code).toBe(130)
  await expect.poll(() => programsOf(folder), { timeout: 30_000 }).toEqual([])
})

test('a second Ctrl-C ends a load, and its tokens are removed', async () => {
  const { child, said, ended } = start('load --count 1')
  await until(child, () => existsSync(path.join(folder, 'k6-runs')))
  expect(inTemporary(/^assay-load-.*assignment\.json$/)).toHaveLength(1)
  child.kill('SIGINT')
  await until(child, () => said.err.includes('press Ctrl-C again'))
  child.kill('SIGINT')
  const [code] = await ended
  expect(said.err).toContain('press Ctrl-C again')
  expect(inTemporary(/^assay-/)).toEqual([])
  expect(code).toBe(130)
  await expect.poll(() => programsOf(folder), { timeout: 30_000 }).toEqual([])
})
