import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { certifyBy } from '../../cli/commands/certify.ts'
import type { CheckResult } from '../../cli/commands/check.ts'
import type { Finding, Verdict } from '../../reports/finding.ts'

/** Whatever part of a certificate fails, what was found so far becomes reports, and the gravest exit code wins. */

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
  target: 'a target',
  started: '2026-06-15T08:00:00.000Z',
  finished: '2026-06-15T08:00:01.000Z',
  interrupted: false,
  planned: verdicts.length,
  notRun: [],
  findings: verdicts.map(finding),
})

const failing = (words: string) => () => Promise.reject(new Error(words))

const rows: readonly (readonly [string, Verdict, Verdict | 'fails', number])[] = [
  ['the load fails after failed checks', 'fail', 'pass', 1],
  ['the client and the load fail after failed checks', 'fail', 'fails', 1],
  ['the client and the load fail after passed checks', 'pass', 'fails', 3],
  ['the load fails after a failed client', 'pass', 'fail', 1],
]

for (const [what, check, client, exit] of rows)
  test(`${what}: reports of everything, exit ${exit}`, async () => {
    let out = ''
    const options = {
      profile: 'smoke',
      target: undefined,
      dialect: undefined,
      namespace: undefined,
      strict: false,
      minVerified: undefined,
      out: folder,
      evidence: undefined,
      sign: undefined,
      subject: undefined,
      json: true,
    } as const
    const code = await certifyBy(
      {
        check: () => Promise.resolve(checkedAs(check)),
        client:
          client === 'fails' ? failing('no client') : () => Promise.resolve([finding(client)]),
        load: failing('the login of the load was refused'),
      },
      folder,
      options,
      {
        out: (text) => void (out += text),
        err: () => undefined,
        env: {},
        cwd: folder,
        interactive: false,
        signal: new AbortController().signal,
      },
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
