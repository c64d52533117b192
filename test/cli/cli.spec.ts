import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { built } from '../../cli/root.ts'
import { ruleIds } from '../../contract/rules.ts'
import { run } from './in-process.ts'

/** The command line as a function: every foreseen mistake is one message and its documented exit code. */

const mistakes: readonly (readonly [line: string, exit: number, says: string])[] = [
  ['', 2, 'Name a command'],
  ['chek', 2, 'Did you mean check?'],
  ['check nonsense', 2, 'no rule has the id or prefix "nonsense"'],
  ['check --bogus', 2, 'check has no option --bogus'],
  ['check --target nowhere.json', 2, 'expected an address (http://...) or the path of a profile'],
  ['check --target http://127.0.0.1:1/api/v2', 3, 'target.tcp: nothing accepts connections'],
  ['check --seed 1.5', 2, 'expected an int32'],
  ['check --namespace a/b', 2, '1 to 32 letters'],
  ['check --dialect soap', 2, 'expected one of svc, ksef'],
  ['check --baseline nowhere.json', 2, 'does not exist'],
  ['mutate nonsense', 2, 'no mutant has the id or prefix "nonsense"'],
  ['generate --count -3', 2, 'expected an integer from 1'],
  ['generate --seller 123', 2, 'expected a NIP'],
  ['serve --limits nowhere.json', 2, 'expected production, test, off or a JSON file'],
  ['serve --start-at yesterday', 2, 'expected a time from 2000 to 2199'],
  ['serve --start-at 5', 2, 'received "5"'],
  ['serve --start-at 2026-02-30T00:00:00Z', 2, 'received "2026-02-30T00:00:00Z"'],
  ['serve --mutant nonsense', 2, 'there is no mutant "nonsense"'],
  ['serve --port abc', 2, '--port: expected a number, received "abc"'],
  ['serve --port=80.5', 2, '--port: expected an integer from 0 to 65535, received 80.5'],
  ['serve --port 70000', 2, '--port: expected an integer from 0 to 65535'],
  ['serve --management-port -1', 2, '--management-port: expected an integer from 0 to 65535'],
  ['serve --port 0 --port 2', 2, '--port: expected one value, received 2'],
  ['serve --host=', 2, '--host: expected a value, received none'],
  ['serve --data=', 2, '--data: expected a value, received none'],
  ['serve --seed abc', 2, '--seed: expected a number, received "abc"'],
  ['serve --environment nowhere', 2, 'expected one of test, demo, production, received "nowhere"'],
  ['serve --clock fast', 2, 'expected one of real, manual, received "fast"'],
  ['serve --base-path clearing', 2, '--base-path: expected a path such as /clearing/v2'],
  ['serve --public-url https://a/b', 2, '--public-url: expected an origin'],
  ['serve --public-url https://[a', 2, '--public-url: expected an origin'],
  ['serve --seed-file nowhere.json', 2, 'nowhere.json does not exist'],
  ['serve --threads -1', 2, '--threads: expected an integer from 0 to 64'],
  ['serve --port 0 --host 256.1.1.1', 3, 'cannot listen on 256.1.1.1 (ENOTFOUND): choose another'],
  ['report --out nowhere', 2, 'no findings at nowhere'],
  ['contract diff', 2, 'expected the OpenAPI description'],
  ['contract diff nowhere.json', 2, 'nowhere.json does not exist'],
  ['lint nowhere.xml', 2, 'nowhere.xml does not exist'],
]

for (const [line, exit, says] of mistakes)
  test(`assay ${line}: exit ${exit}`, async () => {
    const result = await run(line)
    expect(result.err).toContain(says)
    expect(result.err, 'a message, not a stack trace').not.toMatch(/\n\s+at /)
    expect(result.out, 'standard output stays clean').toBe('')
    expect(result.exit).toBe(exit)
  })

test('an invalid table of limits is reported with its error', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'assay-cli-'))
  for (const [table, says] of [
    [
      '[]',
      'expected a JSON object that maps rate rules to { perSecond, perMinute, perHour }, received []',
    ],
    ['null', 'received null'],
    ['"test"', 'received "test"'],
    ['{', 'expected production, test, off or a JSON file'],
    ['{"nonsense":{}}', 'there is no rate rule "nonsense"'],
    ['{"invoiceSubmit":{"perSecond":1}}', 'invoiceSubmit: expected { perSecond, perMinute'],
  ] as const) {
    writeFileSync(path.join(directory, 'limits.json'), table)
    const { err, exit } = await run(`serve --limits ${path.join(directory, 'limits.json')}`)
    expect(err).toContain(says)
    expect(exit).toBe(2)
  }
  rmSync(directory, { recursive: true })
})

test('a target profile that is not valid names the field', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'assay-cli-'))
  writeFileSync(path.join(directory, 'target.json'), JSON.stringify({ url: 'ftp://x', colour: 1 }))
  const result = await run('check --target target.json', { cwd: directory })
  rmSync(directory, { recursive: true })
  expect(result.err).toContain('colour')
  expect(result.exit).toBe(2)
})

test('list --json holds every rule, and selectors narrow it', async () => {
  const all = JSON.parse((await run('list --json')).out) as { rules: { id: string }[] }
  expect(all.rules.map(({ id }) => id).toSorted()).toEqual([...ruleIds].toSorted())
  const some = JSON.parse((await run('list auth.status --json')).out) as { rules: { id: string }[] }
  expect(some.rules.length).toBeGreaterThan(0)
  expect(some.rules.every(({ id }) => id.startsWith('auth.status.'))).toBe(true)
})

test('list counts the checks that Playwright lists, including those that loops register', async () => {
  const playwright = createRequire(import.meta.url).resolve('@playwright/test/package.json')
  const compiled = [built, path.join(built, 'dist')].find((folder) =>
    existsSync(path.join(folder, 'playwright.config.js')),
  )
  const out = mkdtempSync(path.join(tmpdir(), 'assay-list-'))
  const config = path.join(compiled ?? '', 'playwright.config.js')
  const { stdout } = spawnSync(
    process.execPath,
    [path.join(path.dirname(playwright), 'cli.js'), 'test', '-c', config, '--list'].concat([
      '--project',
      'conformance',
      '--reporter',
      'list',
    ]),
    { encoding: 'utf8', env: { PATH: process.env['PATH'], ASSAY_OUT: out, ASSAY_PUBLIC: out } },
  )
  rmSync(out, { recursive: true })
  const listed: Record<string, number> = {}
  for (const [, id = ''] of stdout.matchAll(/ › (?:MUST|SHOULD|MAY) ([a-z0-9.-]+)/g))
    listed[id] = (listed[id] ?? 0) + 1
  const { rules, totals } = JSON.parse((await run('list --json')).out) as {
    rules: { id: string; checks: number }[]
    totals: { checks: number }
  }
  expect(stdout).toContain(`Total: ${totals.checks} tests`)
  expect(Object.fromEntries(rules.map(({ id, checks }) => [id, checks]))).toEqual(
    Object.fromEntries(ruleIds.map((id) => [id, listed[id] ?? 0])),
  )
})

test('help names every command and the exit codes', async () => {
  const { out, exit } = await run('--help')
  expect(exit).toBe(0)
  for (const command of ['certify', 'check', 'mutate', 'load', 'serve', 'generate', 'lint', 'list'])
    expect(out).toContain(`assay ${command}`)
  expect(out).toContain('Exit codes')
})

test('doctor reports what is installed and how to fix the rest', async () => {
  const { out } = await run('doctor --json')
  const { checks } = JSON.parse(out) as { checks: { id: string; ok: boolean; advice?: string }[] }
  expect(checks.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['node', 'suite', 'k6', 'java', 'libxmljs2']),
  )
  for (const check of checks) expect(check.ok || check.advice !== undefined, check.id).toBe(true)
})
