import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { selectChecks, shardedChecks } from '../../../cli/check/selection.ts'
import type { SelectionArgs } from '../../../cli/check/selection.ts'
import type { Io } from '../../../cli/io.ts'
import { quickSelection } from '../../../cli/quick.ts'
import { listedChecks } from '../../../cli/registered.ts'
import { run } from '../in-process.ts'

/** Which checks a run consists of. */

const folder = mkdtempSync(path.join(tmpdir(), 'assay-selection-'))
test.afterAll(() => rmSync(folder, { recursive: true }))

const io = { cwd: folder } as Io
const none: SelectionArgs = {
  selectors: [],
  grep: undefined,
  onlyMust: false,
  since: undefined,
  shard: undefined,
  quick: false,
  seed: 1,
}
const file = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text)
  return path.join(folder, name)
}

test('the shards of a run contain every check once, and keep each file whole', async () => {
  const all = await listedChecks()
  const shards = [1, 2, 3].map((index) => shardedChecks(all, { index, of: 3 }))
  expect(shards.flat().length).toBe(all.length)
  expect(new Set(shards.flat()).size).toBe(all.length)
  const files = shards.map((checks) => new Set(checks.map((check) => check.file)))
  for (const name of new Set(all.map((check) => check.file)))
    expect(files.filter((one) => one.has(name)).length, name).toBe(1)
})

test('selectors, --grep and --only-must narrow a run together', async () => {
  const { titles = [] } = await selectChecks(
    { ...none, selectors: ['auth.status'], grep: '/ access token', onlyMust: true },
    io,
  )
  expect(titles).toEqual(['MUST auth.status.wrong-bearer-refused / access token'])
  const { checks, tags } = await selectChecks({ ...none, selectors: ['auth.status'] }, io)
  expect(checks.every(({ rule }) => rule.startsWith('auth.status.'))).toBe(true)
  expect(tags).toBe(String.raw`@(auth\.status)(?=[.\s]|$)`)
})

test('the plan of a quick run contains exactly what the run does', async () => {
  const { checks } = await selectChecks({ ...none, selectors: ['sessions'], quick: true }, io)
  const drawn = quickSelection(await listedChecks(), none.seed)
  expect(checks).toEqual(drawn.filter(({ rule }) => rule.startsWith('sessions.')))
})

test('--since leaves out what passed, and keeps what failed and what is new', async () => {
  const all = (await selectChecks({ ...none, onlyMust: true }, io)).titles ?? []
  const [failed = '', ...passed] = all.slice(0, -1)
  const earlier = [failed, ...passed].map((check, index) =>
    JSON.stringify({ rule: 'r', check, verdict: index === 0 ? 'inconclusive' : 'pass', ms: 1 }),
  )
  const since = file('findings.ndjson', `${earlier.join('\n')}\n`)
  const open = await selectChecks({ ...none, onlyMust: true, since }, io)
  expect(open.titles).toEqual([failed, all.at(-1)])
  const byFolder = await selectChecks({ ...none, onlyMust: true, since: folder }, io)
  expect(byFolder.titles).toEqual(open.titles)
})

for (const [line, message] of [
  ['check --shard 3/2 --seed 1', 'expected i/n'],
  ['check --shard 1/2', 'name a --seed'],
  ['check --grep [', 'expected a regular expression'],
  ['check auth.status --grep no-such-title', 'no check is chosen by auth.status --grep'],
  ['check --since nowhere.ndjson', 'expected the findings.ndjson of an earlier run'],
  ['check --only-must --invoices .', '--invoices cannot be combined'],
  ['check --dry-run', 'name a --target'],
] as const)
  test(`\`${line}\` is refused before anything runs`, async () => {
    const { exit, err } = await run(line, { cwd: folder })
    expect(exit).toBe(2)
    expect(err).toContain(message)
  })

test('a target whose clock can be moved takes one worker', async () => {
  const target = file(
    'target.json',
    JSON.stringify({
      url: 'http://127.0.0.1:9/api/v2',
      management: 'http://127.0.0.1:9',
      environment: 'test',
      capabilities: [],
    }),
  )
  const { exit, err } = await run(`check keys --workers 2 --target ${target}`)
  expect(exit).toBe(2)
  expect(err).toContain('--workers: expected 1 or nothing, received 2')
})

const baseline = (entry: object) =>
  file('baseline.json', JSON.stringify({ known: [{ reason: 'issue 1', ...entry }] }))

for (const [what, entry, message] of [
  [
    'a wrong variant',
    { rule: 'auth.status.wrong-bearer-refused', variant: 'acces token' },
    'Did you mean access token?',
  ],
  [
    'no variant where every check has one',
    { rule: 'auth.status.wrong-bearer-refused' },
    'received an entry without a variant',
  ],
  [
    'a wrong end date',
    { rule: 'auth.status.wrong-bearer-refused', variant: 'access token', until: 'soon' },
    'until',
  ],
] as const)
  test(`a baseline entry with ${what} is refused`, async () => {
    const { exit, err } = await run(`check auth.status --baseline ${baseline(entry)}`)
    expect(exit).toBe(2)
    expect(err).toContain(message)
  })
