import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { typedPath } from '../../cli/paths.ts'
import { progress, progressLine } from '../../cli/progress.ts'
import type { Finding } from '../../reports/finding.ts'
import { visible } from '../../lib/visible.ts'
import { run } from './in-process.ts'

/** What leaves the program: texts of strangers, paths, progress. */

let directory: string
test.beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'assay-output-'))
})
test.afterEach(() => {
  rmSync(directory, { recursive: true })
})

const escape = String.fromCharCode(0x1b)
const controls = new RegExp(
  String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]`,
)
/** Clears the screen, writes the clipboard, hides what follows, turns text around. */
const hostile = `${escape}[2J${escape}]52;c;cm0gLXJm${String.fromCharCode(7)}\u009b8m\u202egnp.exe`

const found: Finding = {
  rule: 'auth.challenge.public',
  check: `a check ${hostile}`,
  verdict: 'fail',
  ms: 3,
  expected: 'a timestamp',
  actual: hostile,
  reason: `the body says ${hostile}`,
  exchanges: [{ curl: 'curl x', status: 200, answer: hostile, ms: 1 }],
}

test('shows control characters, and keeps the meaning of JSON', () => {
  expect(visible(hostile)).not.toMatch(controls)
  expect(visible(`${escape}[31m`)).toBe(String.raw`\u001b[31m`)
  expect(visible('Zażółć 日本 ✓\n\ttext\r\n')).toBe('Zażółć 日本 ✓\n\ttext\r\n')
  expect(visible('100 %\rdone')).toBe(String.raw`100 %\u000ddone`)
  const text = JSON.stringify({ hostile })
  expect(JSON.parse(visible(text))).toEqual({ hostile })
})

const textsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

test('an error text with escapes reaches neither the terminal nor a written report', async () => {
  const out = path.join(directory, 'run')
  mkdirSync(out)
  writeFileSync(path.join(out, 'findings.ndjson'), `${JSON.stringify(found)}\n`)
  const { rule, check } = found
  writeFileSync(path.join(out, 'plan.json'), JSON.stringify({ planned: [{ rule, check }] }))
  const { written } = JSON.parse(
    (await run('report --out run --json', { cwd: directory, env: process.env })).out,
  ) as { written: string[] }
  expect(written.length).toBeGreaterThan(2)
  for (const file of textsBelow(out).filter((name) => !/(findings\.nd|plan\.)json$/.test(name))) {
    const text = readFileSync(file, 'utf8')
    if (!file.endsWith('.html')) expect(text, file).not.toMatch(controls)
  }
  const { err } = await run(`check ${escape}[2J`)
  expect(err).toContain(String.raw`\u001b[2J`)
})

test('prints no bidirectional marks of a document', async () => {
  const file = path.join(directory, 'turned.xml')
  writeFileSync(file, `<Faktura xmlns="urn:\u202egnp.exe"/>`)
  const { out } = await run(`lint ${file}`)
  expect(out).toContain(String.raw`\u202egnp.exe`)
  expect(out).not.toMatch(controls)
})

test('paths are printed as the user would type them', async () => {
  expect(typedPath('/work/reports/out', '/work')).toBe('reports/out')
  expect(typedPath('/other/out', '/work')).toBe('/other/out')
  expect(typedPath('/work', '/work')).toBe('.')
  expect(typedPath('/work/..out', '/work')).toBe('..out')
  const { err } = await run('generate --count 1 --out some/where --seed 1', { cwd: directory })
  expect(err).toContain('1 document in some/where; seed 1')
})

test('a line of progress has done, total, failures and time left', () => {
  expect(
    progressLine('check', { done: 100, total: 400, failures: 1 }, { since: 0, ms: 10_000 }),
  ).toBe('check: 100 of 400 done, 1 failure, about 30 s left')
  expect(
    progressLine('check', { done: 100, total: 400 }, { since: 0, ms: 10_000, plannedMs: 90_000 }),
    'planned to wait for longer',
  ).toBe('check: 100 of 400 done, about 80 s left')
  expect(
    progressLine('check', { done: 2, total: 400 }, { since: 0, ms: 10_000, plannedMs: 90_000 }),
    'planned to wait at its beginning',
  ).toBe('check: 2 of 400 done, about 80 s left')
  expect(progressLine('generate', { done: 7 }, { since: 0, ms: 1 })).toBe('generate: 7 done')
  expect(progressLine('generate', { done: 60, total: 600 }, { since: 50, ms: 10_000 })).toBe(
    'generate: 60 of 600 done, about 9 min left',
  )
})

test('a line of progress states what the run waits for, and no wait makes the time left grow', () => {
  const until = Date.parse('2026-06-15T17:45:10Z')
  const wait = { limit: 'onlineOpen', until }
  const line = (ms: number, plannedMs?: number) =>
    progressLine(
      'check',
      { done: 100, total: 400 },
      { since: 0, ms, plannedMs, waits: { waitedMs: ms - 10_000, restMs: 90_000 - ms, for: wait } },
    )
  const waiting = 'check: 100 of 400 done, waiting for room in onlineOpen until 17:45:10 UTC, about'
  expect(line(20_000), '10 s of work, 10 s of waiting').toBe(`${waiting} 2 min left`)
  expect(line(60_000), '40 s later').toBe(`${waiting} 60 s left`)
  expect(line(60_000, 140_000), 'planned').toBe(`${waiting} 80 s left`)
})

test('long work reports progress without a terminal', async () => {
  const { err } = await run('generate --count 400 --seed 1 --out many', {
    cwd: directory,
    progressEveryMs: 1,
  })
  expect(err).toMatch(/^generate: \d+ of 400 done, about \d+ s left$/m)
})

test('reports progress while nothing advances', async () => {
  const lines: string[] = []
  let heard = () => {}
  const twice = new Promise<void>((resolve) => (heard = resolve))
  const shown = progress(
    {
      out: () => {},
      err: (text) => {
        lines.push(text)
        if (lines.length === 2) heard()
      },
      env: {},
      cwd: '/',
      interactive: false,
      signal: new AbortController().signal,
      progressEveryMs: 1,
    },
    'check',
  )
  // The timer of progress keeps no process alive; this one does.
  const alive = setInterval(() => {}, 1000)
  await twice
  clearInterval(alive)
  shown.end()
  expect(lines).toEqual(['check: starting\n', 'check: starting\n'])
})

test('prints no colours, so NO_COLOR has no effect', async () => {
  for (const line of ['--help', 'check --help', 'list auth', 'mutate nonsense'])
    for (const env of [{}, { NO_COLOR: '1' }, { FORCE_COLOR: '1' }]) {
      const { out, err } = await run(line, { interactive: true, env })
      expect(`${out}${err}`.includes(escape), line).toBe(false)
    }
})

test('--quiet prints results and errors only', async () => {
  const loud = await run('generate --count 2 --seed 1 --out a --json', { cwd: directory })
  const quiet = await run('generate --count 2 --seed 1 --out b --json --quiet', { cwd: directory })
  expect(loud.err).toContain('seed 1')
  expect(quiet.err).toBe('')
  expect(quiet.out).toBe(loud.out)
  expect((await run('generate --count 0 -q', { cwd: directory })).err).toContain(
    '--count: expected',
  )
})
