import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { certifyBy } from '../../cli/commands/certify.ts'
import type { Parts } from '../../cli/commands/certify.ts'
import type { CheckResult } from '../../cli/check/run.ts'
import type { LoadResult } from '../../cli/load/result.ts'
import type { Finding, Verdict } from '../../reports/finding.ts'
import { projectRoot } from '../sources.ts'
import { certifyArgs } from './certify-args.ts'

/** Whatever part of a certificate fails, reports are written from what was found, and the worst exit code wins. */

let folder: string
const { JAVA_HOME: java } = process.env
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-certify-'))
  // Allure's HTML takes longer than all the rest.
  process.env['JAVA_HOME'] = '/nonexistent'
})
test.afterEach(() => {
  if (java === undefined) delete process.env['JAVA_HOME']
  else process.env['JAVA_HOME'] = java
  rmSync(folder, { recursive: true })
})

const finding = (verdict: Verdict): Finding => ({
  rule: 'auth.challenge.public',
  check: 'MUST auth.challenge.public',
  verdict,
  ms: 1,
})

const checkedAs = (...verdicts: Verdict[]): CheckResult => ({
  tool: 'assay',
  seed: 1,
  namespace: 'n',
  target: 'embedded reference',
  started: '2026-06-15T08:00:00.000Z',
  finished: '2026-06-15T08:00:01.000Z',
  interrupted: false,
  planned: verdicts.length,
  notRun: [],
  findings: verdicts.map(finding),
})

const failing = (words: string) => () => Promise.reject(new Error(words))

/** Runs the parts; returns the exit code and the output. */
const certify = async (parts: Parts, json: boolean) => {
  let out = ''
  const options = { ...certifyArgs, target: undefined, out: folder, json }
  const code = await certifyBy(parts, folder, options, {
    out: (text) => void (out += text),
    err: () => undefined,
    env: {},
    cwd: folder,
    interactive: false,
    signal: new AbortController().signal,
  })
  return { code, out }
}

const rows: readonly (readonly [string, Verdict, Verdict | 'fails', number])[] = [
  ['the load fails after failed checks', 'fail', 'pass', 1],
  ['the client and the load fail after failed checks', 'fail', 'fails', 1],
  ['the client and the load fail after passed checks', 'pass', 'fails', 3],
  ['the load fails after a failed client', 'pass', 'fail', 1],
]

for (const [what, check, client, exit] of rows)
  test(`${what}: writes every report, exit ${exit}`, async () => {
    const { code, out } = await certify(
      {
        check: () => Promise.resolve(checkedAs(check)),
        client:
          client === 'fails' ? failing('no client') : () => Promise.resolve([finding(client)]),
        load: failing('the login of the load was refused'),
      },
      true,
    )
    expect(code).toBe(exit)
    expect(JSON.parse(out)).toMatchObject({ exit })
    const junit = readFileSync(path.join(folder, 'junit.xml'), 'utf8')
    expect(junit).toContain('auth.challenge.public')
    expect(junit).toContain('the login of the load was refused')
    expect(junit.includes('no client')).toBe(client === 'fails')
    for (const report of ['requirements.md', 'allure-results', 'findings.ndjson'])
      expect(existsSync(path.join(folder, report)), report).toBe(true)
  })

test('the checks end early: reports of what they found and of the other parts, exit 1', async () => {
  const planned = [finding('fail'), { ...finding('pass'), check: 'another' }]
  writeFileSync(path.join(folder, 'plan.json'), JSON.stringify({ planned }))
  writeFileSync(path.join(folder, 'findings.ndjson'), `${JSON.stringify(planned[0])}\n`)
  const { code, out } = await certify(
    {
      check: failing('the disk is full'),
      client: () => Promise.resolve([finding('pass')]),
      load: () => Promise.resolve(load),
    },
    true,
  )
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({ exit: 1, notRun: [], load: { verdict: 'pass' } })
  const junit = readFileSync(path.join(folder, 'junit.xml'), 'utf8')
  expect(junit).toContain('the disk is full')
  expect(junit).toContain('not run: incomplete')
})

test('checks that never began are no certificate', async () => {
  const never = { client: failing('no client'), load: failing('no load') }
  await expect(certify({ check: failing('no such profile'), ...never }, true)).rejects.toThrow(
    'no such profile',
  )
})

/** What the load part reports, as far as `certify` reads it. */
const load = {
  verdict: 'pass',
  scenario: 'session-throughput',
  profile: 'smoke',
  seed: 1,
  started: '2026-06-15T08:00:00.000Z',
  finished: '2026-06-15T08:00:01.000Z',
  requests: 300,
  accepted: 300,
  lost: 0,
  doubled: 0,
  throughput: 30.1,
  latencyMs: { p95: 10 },
  reasons: [],
  limits: 'off',
  account: { planned: 300 },
} as unknown as LoadResult

/** A line without its numbers and names of runs. */
const shapeOf = (line: string): string =>
  line
    .replaceAll(/namespace \S+/g, 'namespace n')
    .replaceAll(/\d+(\.\d+)?/g, '0')
    .replace(/^(conformance|client) .*/, '$1')
    .replace(/^written .*/, 'written')

test('README shows what certify prints at its end', async () => {
  const root = projectRoot()
  test.skip(root === undefined, 'the published package has no sources')
  const readme = readFileSync(path.join(root ?? '', 'README.md'), 'utf8')
  const [, shown = ''] = /^```\n(target .*?)^```$/ms.exec(readme) ?? []
  const { code, out } = await certify(
    {
      check: () => Promise.resolve(checkedAs('pass', 'observed', 'not-verifiable')),
      client: () => Promise.resolve([finding('pass')]),
      load: () => Promise.resolve(load),
    },
    false,
  )
  expect(code).toBe(0)
  const printed = out.split('\n').map(shapeOf)
  const lines = shown.trim().split('\n')
  expect(lines.length).toBeGreaterThan(6)
  for (const line of lines.filter((one) => one !== '...'))
    expect(printed, line).toContain(shapeOf(line))
})
