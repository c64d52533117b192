import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import type { TaskResult } from '../../cli/load/task-load.ts'
import { findK6 } from '../../load/engine.ts'
import { startServer } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'
import { startProxy } from './lossy-proxy.ts'
import type { Spoiler } from './lossy-proxy.ts'

/** Tasks on a schedule, carried out by k6 at a reference behind a proxy that may spoil answers. */

test.describe.configure({ mode: 'serial', timeout: 120_000 })

test.beforeEach(async () => {
  const k6 = await findK6({ build: false })
  test.skip('missing' in k6, 'k6 is not installed')
})

const load = async (
  scenario: string,
  count: number,
  spoiler: Spoiler = {},
): Promise<{ readonly exit: number; readonly result: TaskResult }> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-tasks-'))
  const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'off' })
  const proxy = await startProxy(server.origin, spoiler)
  try {
    const url = server.url.replace(server.origin, proxy.origin)
    const target = path.join(folder, 'target.json')
    writeFileSync(target, JSON.stringify({ url, contexts: server.profile.contexts }))
    const scope = ['--count', String(count), '--rate', '10', '--seed', '7', '--limits', 'off']
    const line = ['load', scenario, ...scope, '--target', target, '--out', folder, '--json']
    const { exit, out, err } = await runInProcess(line, { env: process.env, cwd: folder })
    expect(out, err).not.toBe('')
    return { exit, result: JSON.parse(out) as TaskResult }
  } finally {
    await proxy.close()
    await server.close()
    rmSync(folder, { recursive: true })
  }
}

test('a mixed day does every kind of task, and all succeed', async () => {
  const { result } = await load('mixed-day', 20)
  expect(result).toMatchObject({ failed: 0, issued: 20 })
  // A busy machine may begin a task too late, which is counted and no failure of the service.
  expect(result.succeeded + result.dropped).toBe(20)
  expect(result.succeeded).toBeGreaterThan(0)
})

test('an invoice that a synchronization does not receive is named', async () => {
  let missing = ''
  const { exit, result } = await load('metadata-sync', 1, {
    answer: ({ path: at }, body) => {
      if (!at.includes('/query/metadata')) return body
      const page = JSON.parse(body) as { invoices: { svcNumber: string }[] }
      missing = page.invoices.pop()?.svcNumber ?? ''
      return JSON.stringify(page)
    },
  })
  expect(missing).not.toBe('')
  expect(result.reasons.join()).toContain(`missing ${missing}`)
  expect(exit).toBe(5)
})
