import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { main } from '../../cli/main.ts'
import type { LoadResult } from '../../cli/load/result.ts'
import { loadText } from '../../cli/load/result.ts'
import { accountTable, runPage } from '../../cli/load/report.ts'
import { storeRun } from '../../cli/load/stored.ts'
import { accountOf } from '../../load/trace/account.ts'
import { compareLatencies, mannWhitney } from '../../load/trace/compare.ts'
import { latenciesOf } from '../../load/trace/latency.ts'
import type { CallLine } from '../../load/trace/line.ts'

/** Comparison of two runs, and the page of one. */

/** The share of pairs in which the second value is larger; ties count half. */
const shareSlower = (before: readonly number[], after: readonly number[]): number => {
  const scores = before.flatMap((b): number[] => after.map((a) => (a > b ? 1 : a === b ? 0.5 : 0)))
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

const sample = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 })

test('the rank sum counts the pairs in which a call is slower, ties by half', () => {
  fc.assert(
    fc.property(sample, sample, (before, after) => {
      const { slower, p } = mannWhitney(before, after)
      expect(slower).toBeCloseTo(shareSlower(before, after), 9)
      expect(p).toBeGreaterThan(0)
      expect(p).toBeLessThanOrEqual(1)
    }),
  )
})

/** Every choice of `count` of the ranks 1 to `total`. */
const choices = (total: number, count: number, from = 1): readonly (readonly number[])[] =>
  count === 0
    ? [[]]
    : Array.from({ length: total - from + 1 }, (_, at) => from + at).flatMap((first) =>
        choices(total, count - 1, first + 1).map((rest) => [first, ...rest]),
      )

test('the p-value agrees with the exact one, over all assignments of the ranks', () => {
  const all = choices(14, 7)
  const ranks = Array.from({ length: 14 }, (_, at) => at + 1)
  const distanceOf = (after: readonly number[]) => {
    const before = ranks.filter((rank) => !after.includes(rank))
    return Math.abs(shareSlower(before, after) - 0.5)
  }
  const distances = all.map(distanceOf)
  for (const at of [0, 25, 400, 1200, 2000, 3000]) {
    const after = all[at] ?? []
    const before = ranks.filter((rank) => !after.includes(rank))
    const observed = distanceOf(after)
    const exact = distances.filter((distance) => distance >= observed - 1e-12).length / all.length
    expect(Math.abs(mannWhitney(before, after).p - exact)).toBeLessThan(0.02)
  }
})

test('samples of one distribution are the same, shifted ones are not', () => {
  const values = Array.from({ length: 400 }, (_, i) => 20 + ((i * 7919) % 101))
  const again = Array.from({ length: 400 }, (_, i) => 20 + ((i * 6007 + 13) % 101))
  const shifted = again.map((value) => value + 30)
  expect(compareLatencies(values, again).verdict).toBe('same')
  expect(compareLatencies(values, shifted).verdict).toBe('slower')
  expect(compareLatencies(shifted, values).verdict).toBe('faster')
})

const runWith = (latency: (i: number) => number, lost: readonly number[] = []) => {
  const indexes = Array.from({ length: 300 }, (_, i) => i)
  const trace = indexes.map((i): CallLine => ({
    t: 'call',
    op: 'invoices.submit',
    i,
    due: 1_000_000 + i * 50,
    begun: 1_000_000 + i * 50,
    ended: 1_000_000 + i * 50 + latency(i),
    status: 202,
    ref: `R${i}`,
  }))
  const planned = indexes.map((i) => ({ number: `N/<${i}>`, hash: `h${i}`, session: 0 }))
  const listed = indexes
    .filter((i) => !lost.includes(i))
    .map((i) => ({ number: `N/<${i}>`, hash: `h${i}`, referenceNumber: `R${i}`, status: 200 }))
  const account = accountOf({
    planned,
    trace,
    listed,
    sessionsRead: new Set([0]),
    receipted: undefined,
  })
  const result: LoadResult = {
    id: 'run',
    scenario: 'session-throughput',
    profile: 'smoke',
    seed: 1,
    target: 'http://127.0.0.1/<api>',
    limits: 'production',
    segments: 1,
    contexts: 1,
    window: { perSecond: 30, perMinute: 900, perHour: 9000 },
    started: '2026-06-15T08:00:00Z',
    finished: '2026-06-15T08:00:15Z',
    requests: 300,
    accepted: account.accepted,
    refused: account.refused,
    lost: account.lost.length,
    doubled: 0,
    dropped: 0,
    account,
    sessions: 1,
    ...latenciesOf(trace),
    throughput: 20,
    verdict: lost.length > 0 ? 'fail' : 'pass',
    reasons: [],
  }
  return { result, trace }
}

const withRuns = async (
  check: (
    folder: string,
    compare: (...names: string[]) => Promise<[number, string]>,
  ) => Promise<void>,
) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-compare-'))
  const compare = async (...names: string[]): Promise<[number, string]> => {
    let text = ''
    const exit = await main(['load', 'compare', ...names], {
      out: (more) => void (text += more),
      err: (more) => void (text += more),
      env: process.env,
      cwd: folder,
      interactive: false,
      signal: new AbortController().signal,
    })
    return [exit, text]
  }
  try {
    mkdirSync(path.join(folder, 'reports/out/load'), { recursive: true })
    await check(folder, compare)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('load compare exits 5 on a slower run or a lost invoice, 0 otherwise', () =>
  withRuns(async (folder, compare) => {
    const store = (name: string, { result, trace }: ReturnType<typeof runWith>) =>
      storeRun({ folder: path.join(folder, name) }, result, trace, { html: '', figures: [] })
    await store(
      'reports/out/load/before',
      runWith((i) => 20 + ((i * 7919) % 101)),
    )
    await store(
      'again',
      runWith((i) => 20 + ((i * 6007 + 13) % 101)),
    )
    await store(
      'slow',
      runWith((i) => 60 + ((i * 6007 + 13) % 101)),
    )
    await store(
      'lossy',
      runWith((i) => 20 + ((i * 6007 + 13) % 101), [7]),
    )
    expect(await compare('before', 'again')).toEqual([0, expect.stringContaining('no regression')])
    const [exit, text] = await compare('before', 'slow')
    expect(exit).toBe(5)
    expect(text).toMatch(/regression {2}slower: p95 \d+ ms, now \d+ ms/)
    expect(text).toMatch(/Mann-Whitney p = /)
    expect(await compare('before', 'lossy')).toEqual([
      5,
      expect.stringContaining('regression  lost: 0, now 1'),
    ])
  }))

test('load compare names what it cannot compare', () =>
  withRuns(async (_, compare) => {
    expect(await compare('one')).toEqual([2, expect.stringContaining('expected two stored runs')])
    expect(await compare('one', 'two')).toEqual([
      2,
      expect.stringContaining('expected the id or directory of a stored run, received "one"'),
    ])
  }))

test('the page of a run has its charts and its account, and needs no other file', async () => {
  const { result, trace } = runWith((i) => 5 + (i % 9), [7])
  const { html } = await runPage(result, trace, loadText(result), [accountTable(result)])
  expect(html.match(/<svg /g)).toHaveLength(4)
  expect(html).toContain('Pace against the limits')
  expect(html).toContain('1: N/&lt;7&gt;')
  expect(html).not.toMatch(/<script|<link|src=|@import/)
})
