import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import type { LoadResult } from '../../cli/load/result.ts'
import { lateStarts } from '../../cli/load/verdict.ts'
import { firstExcess } from '../../lib/windows.ts'
import { findK6 } from '../../load/engine.ts'
import { contextOfSegment, optionsOf, segmentOf, segmentOfSession } from '../../load/segment.ts'
import { callsOf } from '../../load/trace/latency.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import { startServer } from '../../reference/server/server.ts'
import { runInProcess } from '../cli/in-process.ts'
import { startProxy } from './lossy-proxy.ts'

/** A load that several k6 processes share. */

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-segments-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a process finds its own segment in what k6 reports', () => {
  for (const count of [1, 2, 3, 7])
    for (let index = 0; index < count; index += 1)
      expect(segmentOf(optionsOf({ index, count }))).toEqual({ index, count })
  expect(optionsOf({ index: 1, count: 3 })).toEqual({
    executionSegment: '1/3:2/3',
    executionSegmentSequence: '0,1/3,2/3,1',
  })
  expect(segmentOf({ executionSegment: null, executionSegmentSequence: null })).toEqual({
    index: 0,
    count: 1,
  })
  expect(() =>
    segmentOf({ executionSegment: '1/4:1/2', executionSegmentSequence: '0,1/2,1' }),
  ).toThrow('1/4:1/2, which is not in 0,1/2,1')
})

test('a process that starts late is reported', () => {
  const start = { t: 'start', appointed: 10_000 } as const
  expect(
    lateStarts([
      { ...start, segment: 0, ready: 9000 },
      { ...start, segment: 1, ready: 13_500 },
      { ...start, segment: 2, ready: 11_000 },
    ]),
  ).toEqual([
    'process 2 began 3.5 s after the appointed moment: the processes did not send at the planned rate together',
  ])
})

const load = async (
  ...args: string[]
): Promise<{ readonly exit: number; readonly result: LoadResult; readonly trace: TraceLine[] }> => {
  const runs = path.join(folder, 'run')
  const line = ['load', '--segments', '2', '--json', '--out', runs, ...args]
  const { exit, out, err } = await runInProcess(line, { env: process.env, cwd: folder })
  expect(out, err).not.toBe('')
  const lines = readFileSync(path.join(runs, 'trace.ndjson'), 'utf8').trim().split('\n')
  const trace = lines.map((text) => JSON.parse(text) as TraceLine)
  return { exit, result: JSON.parse(out) as LoadResult, trace }
}

test.describe('two k6 processes', () => {
  test.describe.configure({ mode: 'serial', timeout: 120_000 })
  test.beforeEach(async () => {
    const k6 = await findK6({ build: false })
    test.skip('missing' in k6, 'k6 is not installed')
  })

  test('send for one context each, together more than the limit of a context', async () => {
    // Within a minute, one context may send half of the invoices, but not all of them.
    const window = { perSecond: 100, perMinute: 16, perHour: 1000 }
    const limits = path.join(folder, 'limits.json')
    writeFileSync(limits, JSON.stringify({ invoiceSubmit: window }))
    const { exit, result, trace } = await load('--count', '32', '--limits', limits)
    expect(result.reasons).toEqual([])
    expect(result).toMatchObject({ segments: 2, contexts: 2, sessions: 2, accepted: 32 })
    const starts = trace.flatMap((line) => (line.t === 'start' ? [line] : []))
    expect(starts.map(({ segment }) => segment).toSorted((a, b) => a - b)).toEqual([0, 1])
    expect(new Set(starts.map(({ appointed }) => appointed)).size).toBe(1)
    const calls = callsOf(trace)
    const dueOf = (context: number): number[] =>
      calls
        .filter(({ session = 0 }) => contextOfSegment(segmentOfSession(session, 2), 2) === context)
        .map(({ due }) => due)
        .toSorted((a, b) => a - b)
    const due = [dueOf(0), dueOf(1)]
    expect(due.map(({ length }) => length)).toEqual([16, 16])
    for (const own of due) expect(firstExcess(window, own)).toBeUndefined()
    expect(
      firstExcess(
        window,
        due.flat().toSorted((a, b) => a - b),
      ),
    ).toBeDefined()
    expect(exit).toBe(0)
  })

  test('have one verdict, which names an invoice that one of them loses', async () => {
    const server = await startServer({ port: 0, managementPort: 0, seed: 3, limits: 'off' })
    let seen = 0
    const proxy = await startProxy(server.origin, {
      instead: ({ method, path: at }) => {
        if (method !== 'POST' || !at.endsWith('/invoices') || (seen += 1) !== 25) return undefined
        const body = JSON.stringify({ referenceNumber: '20260615-EE-2F6A9B0C1D-0E3F4A5B6C-7D' })
        return { status: 202, body }
      },
    })
    try {
      const url = server.url.replace(server.origin, proxy.origin)
      const target = path.join(folder, 'target.json')
      writeFileSync(
        target,
        JSON.stringify({ url, environment: 'demo', contexts: server.profile.contexts }),
      )
      const { exit, result, trace } = await load(
        '--target',
        target,
        '--limits',
        'off',
        '--count',
        '60',
        '--rate',
        '60',
      )
      expect(result).toMatchObject({ contexts: 1, sessions: 2, accepted: 60 })
      expect(
        callsOf(trace)
          .map(({ i }) => i)
          .toSorted((a, b) => a - b),
      ).toEqual(Array.from({ length: 60 }, (_, i) => i))
      expect(result.account.lost).toHaveLength(1)
      expect(result.reasons).toEqual([
        `1 invoice accepted and in no session: ${result.account.lost[0]}`,
      ])
      expect(exit).toBe(5)
    } finally {
      await proxy.close()
      await server.close()
    }
  })
})

test('segments are distributed evenly, and probes have none', async () => {
  const run = async (...args: string[]): Promise<[number, string]> => {
    const { exit, err } = await runInProcess(['load', ...args], { cwd: folder })
    return [exit, err]
  }
  expect(await run('limit-edge', '--segments', '2')).toEqual([
    2,
    expect.stringContaining('--segments: probes of the limits run in one process'),
  ])
  expect(await run('--segments', '0')).toEqual([
    2,
    expect.stringContaining('--segments: expected an integer from 1, received 0'),
  ])
})
