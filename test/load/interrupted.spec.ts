import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import type { LoadResult } from '../../cli/load/result.ts'
import { findK6 } from '../../load/engine.ts'
import type { JournalEntry } from '../../reference/model/journal.ts'
import { startServer } from '../../reference/server/server.ts'
import type { Server } from '../../reference/server/server.ts'
import { commandLine } from '../served.ts'

/** Ctrl-C during a load leaves the target as it was, and the run accounted for. */

test.describe.configure({ mode: 'serial', timeout: 120_000 })
test.beforeEach(async () => {
  const k6 = await findK6({ build: false })
  test.skip('missing' in k6, 'k6 is not installed')
})

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-interrupted-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command line and sends SIGINT when it says something. */
const interruptedAt = async (
  sign: RegExp,
  command: string,
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> => {
  // A process group of its own, as at a terminal: Ctrl-C goes to all of it.
  const child: ChildProcess = spawn(process.execPath, [commandLine(), ...command.split(' ')], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => void (said.out += chunk.toString()))
  let isDone = false
  child.stderr?.on('data', (chunk: Buffer) => {
    said.err += chunk.toString()
    if (isDone || !sign.test(said.err)) return
    isDone = true
    process.kill(-(child.pid ?? 0), 'SIGINT')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

const targetOf = (server: Server, capabilities: readonly string[]): void => {
  const { contexts } = server.profile
  const profile = { url: server.url, environment: 'test', capabilities, contexts }
  writeFileSync(path.join(folder, 'target.json'), JSON.stringify(profile))
}

const operationsIn = (entries: readonly JournalEntry[], operation: string): number =>
  entries.filter((entry) => entry.kind === 'exchange' && entry['operation'] === operation).length

test('limits that were set for probes are restored', async () => {
  const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'production' })
  try {
    const entries: JournalEntry[] = []
    server.reference.journal.follow((entry) => void entries.push(entry))
    targetOf(server, ['provoke', 'testdata'])
    const { code, err } = await interruptedAt(
      /per second: \w+/,
      'load limit-edge --rules exportStatus --target target.json --out edge',
    )
    expect(code, err).toBe(130)
    const set = operationsIn(entries, 'testdata.setRateLimits')
    expect(set, err).toBeGreaterThan(1)
    expect(operationsIn(entries, 'testdata.restoreRateLimits')).toBe(set)
  } finally {
    await server.close()
  }
})

test('sent invoices are accounted for, and the sessions are closed', async () => {
  const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'off' })
  try {
    targetOf(server, [])
    const { code, out, err } = await interruptedAt(
      /sent \d+ of 2000/,
      'load --count 2000 --rate 20 --target target.json --limits off --out run --json',
    )
    expect(code, err).toBe(130)
    const result = JSON.parse(out) as LoadResult
    expect(result.verdict).toBe('inconclusive')
    expect(result.sessions).toBe(1)
    expect(result.accepted).toBeGreaterThan(0)
    expect(result.account.notSent.length).toBe(2000 - result.account.sent)
    expect([result.lost, result.doubled]).toEqual([0, 0])
    expect(result.reasons.join()).toContain('the run ended early (interrupted)')
    expect(readdirSync(path.join(folder, 'run'))).toContain('report.html')
    expect(readFileSync(path.join(folder, 'run/result.json'), 'utf8')).toContain(result.id)
  } finally {
    await server.close()
  }
})
