import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { roomAt } from '../../cli/load/earlier-calls.ts'
import type { EnvironmentId } from '../../contract/environments.ts'
import { callMemoryOf } from '../../lib/node/call-memory.ts'
import { ownProfile } from '../../lib/node/target.ts'
import { findK6 } from '../../load/engine.ts'
import { loadMarginMs } from '../../load/stages.ts'
import { startServer } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'

/** A load does not begin before the calls of earlier runs leave room for it in the context that they share. */

const minute = 60_000
const window = { perSecond: 10, perMinute: 30, perHour: 180 }

test('room is there when enough earlier calls have left both windows', () => {
  const times = Array.from({ length: 170 }, (_, i) => i * 1000)
  expect(roomAt([], window, 60)).toBe(0)
  // The last 30 have to leave the minute for 30 more.
  expect(roomAt(times, window, 10)).toBe(149_000 + minute + loadMarginMs)
  // 50 of 170 have to leave the hour for 60 more.
  expect(roomAt(times, window, 60)).toBe(49_000 + 60 * minute + loadMarginMs)
  // More than there ever is: all of them.
  expect(roomAt(times, window, 500)).toBe(169_000 + 60 * minute + loadMarginMs)
})

/** A service whose one context every run shares, unless the profile has its management port; a cache of its own. */
const shared = async (environment: EnvironmentId = 'demo', isManaged = false) => {
  const k6 = await findK6({ build: false })
  test.skip('missing' in k6, 'k6 is not installed')
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-earlier-'))
  const service = await startServer({ environment, seed: 7 })
  const { url, contexts, management } = service.profile
  const stated = { url, environment, contexts, ...(isManaged && { management }) }
  const target = path.join(folder, 'target.json')
  writeFileSync(target, JSON.stringify({ ...stated, capabilities: ['token'] }))
  return {
    service,
    target,
    name: `Nip ${contexts[0]?.value}`,
    memory: () => callMemoryOf(ownProfile({ url, environment, contexts }), folder),
    run: (args: readonly string[], given: Parameters<typeof runInProcess>[1] = {}) =>
      runInProcess([...args, '--target', target], {
        env: {
          ...process.env,
          ASSAY_CACHE: folder,
          K6_BINARY: 'path' in k6 ? k6.path : '',
          ASSAY_SEQUENCE: 'none',
        },
        cwd: folder,
        ...given,
      }),
    close: async (): Promise<void> => {
      await service.close()
      rmSync(folder, { recursive: true })
    },
  }
}

test('a load waits for the calls of a check before it, says so, and can be interrupted', async () => {
  test.setTimeout(120_000)
  const { run, memory, name, service, close } = await shared()
  try {
    const checked = await run(['check', 'sessions.online.close', '--only-must'])
    expect(checked.exit, checked.err).toBe(0)
    const opened = memory()?.earlier[`${name} onlineOpen`]?.length ?? 0
    expect(opened).toBeGreaterThan(1)

    const again = new AbortController()
    let saidByCheck = ''
    const { exit: interrupted } = await run(['check', 'sessions.online.close'], {
      signal: again.signal,
      err: (text) => {
        saidByCheck += text
        if (saidByCheck.includes('still count')) again.abort()
      },
    })
    expect(saidByCheck).toMatch(/calls of an earlier run .* still count: this run begins in \d+ s/)
    expect(interrupted).toBe(130)

    const begun = memory()
    const now = Date.now() + 10
    begun?.keep({ [`${name} invoiceSubmit`]: Array.from({ length: 170 }, (_, i) => now + i) })
    const before = service.reference.journal.last()
    const stop = new AbortController()
    let said = ''
    const { exit } = await run(['load', '--count', '60'], {
      signal: stop.signal,
      err: (text) => {
        said += text
        if (said.includes('still count')) stop.abort()
      },
    })
    expect(said).toMatch(
      new RegExp(
        `earlier calls of invoiceSubmit in ${name} still count: this run begins in (1 h|59 min)`,
      ),
    )
    expect(exit).toBe(130)
    const calls = service.reference.journal.after(before).map((entry) => entry['operation'])
    expect(calls).not.toContain('sessions.openOnline')
  } finally {
    await close()
  }
})

test('a load remembers what it called', async () => {
  test.setTimeout(60_000)
  const { run, memory, name, close } = await shared()
  try {
    const { exit, err } = await run(['load', '--count', '5'])
    expect(exit, err).toBe(0)
    const count = (rule: string) => memory()?.earlier[`${name} ${rule}`]?.length
    expect([count('onlineOpen'), count('invoiceSubmit'), count('onlineClose')]).toEqual([1, 5, 1])
  } finally {
    await close()
  }
})

test('at a management port each load has a context of its own', async () => {
  test.setTimeout(60_000)
  const { run, service, close } = await shared('test', true)
  try {
    for (let time = 0; time < 2; time += 1) {
      const { exit, err } = await run(['load', '--count', '3'])
      expect(exit, err).toBe(0)
    }
    const opened = service.reference.journal
      .after(0)
      .filter(({ operation }) => operation === 'sessions.openOnline')
      .map(({ context }) => JSON.stringify(context))
    expect(opened).toHaveLength(2)
    expect(new Set(opened).size).toBe(2)
  } finally {
    await close()
  }
})
