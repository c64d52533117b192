import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { rules } from '../../contract/rules.ts'
import { generateAllureHtml } from '../../reports/allure/html.ts'
import { writeAllureResults } from '../../reports/allure/results.ts'
import type { Language } from '../../reports/page/languages.ts'
import { ciBuildOf } from '../../reports/ci-build.ts'
import type { Finding } from '../../reports/finding.ts'
import { headline } from '../../reports/run.ts'
import type { Run } from '../../reports/run.ts'

/** What readers of Allure expect: real times, kinds of fault, who executed it, and the runs before. */

const failure: Finding = {
  rule: 'auth.challenge.public',
  check: 'MUST auth.challenge.public',
  verdict: 'fail',
  ms: 30,
  started: '2026-06-15T08:00:01.500Z',
  worker: 1,
  reason: 'Requirement not met',
  expected: 'success (200)',
  actual: '401, code 21301',
  fault: 'unexpected refusal',
}
const late: Finding = {
  rule: 'auth.challenge.ten-minutes',
  check: 'MUST auth.challenge.ten-minutes',
  verdict: 'fail',
  ms: 1,
}
const warning: Finding = { ...late, check: 'SHOULD', verdict: 'warn', variant: 'should' }
const known: Finding = { ...late, verdict: 'known', variant: 'known', reason: 'known: ticket 7' }
const findings = [failure, late, warning, known]

const build = ciBuildOf({ GITLAB_CI: 'true', CI_JOB_NAME: 'nightly', CI_PIPELINE_IID: '42' })
const mixed: Run = {
  facts: {
    started: '2026-06-15T08:00:00Z',
    finished: '2026-06-15T08:01:00Z',
    seed: 1,
    namespace: 'n',
    target: 't',
    version: '0',
    ...(build === undefined ? {} : { build }),
  },
  findings,
  planned: findings.length,
  notRun: [],
}

interface Result {
  readonly name: string
  readonly start: number
  readonly status: string
  readonly statusDetails: Record<string, string>
  readonly labels: { readonly name: string; readonly value: string }[]
  readonly links: { readonly url: string }[]
}

interface Category {
  readonly name: string
  readonly matchedStatuses?: readonly string[]
  readonly messageRegex?: string
}

const written = async (out: string, run: Run = mixed, language: Language = 'en') => {
  const directory = path.join(out, 'allure-results')
  await writeAllureResults(directory, { run, rules, out, language })
  const read = (name: string) => JSON.parse(readFileSync(path.join(directory, name), 'utf8'))
  const results = readdirSync(directory)
    .filter((name) => name.endsWith('-result.json'))
    .map((name) => read(name) as Result)
  const resultOf = ({ rule, variant }: Finding) => {
    const found = results.find(({ name }) => name === (variant ? `${rule} (${variant})` : rule))
    if (found === undefined) throw new Error(`no result of ${rule}`)
    return found
  }
  const categories = read('categories.json') as Category[]
  // Allure asks that the whole message matches, in Java's way of writing it.
  const categoryOf = ({ status, statusDetails }: Result) =>
    categories.find(
      ({ matchedStatuses, messageRegex }) =>
        (matchedStatuses?.includes(status) ?? true) &&
        (messageRegex === undefined ||
          new RegExp(`^(?:${messageRegex.replace('(?s)', '')})$`, 's').test(
            statusDetails['message'] ?? '',
          )),
    )?.name
  return { directory, resultOf, categoryOf, executor: read('executor.json') as object }
}

test('a result has its time, worker, severity, rule page, and what was expected and received', async ({}, info) => {
  const { resultOf, executor } = await written(info.outputPath())
  const result = resultOf(failure)
  expect(result.start).toBe(Date.parse('2026-06-15T08:00:01.500Z'))
  expect(result.labels).toContainEqual({ name: 'thread', value: 'worker 2' })
  expect(result.labels).toContainEqual({ name: 'severity', value: 'critical' })
  expect(result.links[0]?.url).toBe('../index.html#auth.challenge.public')
  expect(result.statusDetails).toMatchObject({
    expected: 'success (200)',
    actual: '401, code 21301',
  })
  expect(result.statusDetails['message']).toContain(
    'expected: success (200)\nactual: 401, code 21301',
  )
  expect(executor).toMatchObject({ type: 'gitlab', buildOrder: 42, buildName: 'nightly #42' })
})

test('results fall into the category of their fault; a warning is not green', async ({}, info) => {
  const { resultOf, categoryOf } = await written(info.outputPath())
  expect(categoryOf(resultOf(failure))).toBe('Refused, where a success is due')
  expect(categoryOf(resultOf(late))).toBe('Time: expiry, clock or rate')
  expect(categoryOf(resultOf(known))).toBe('Known failure')
  expect(resultOf(warning).status).toBe('unknown')
  expect(categoryOf(resultOf(warning))).toBe('Warning: a recommendation (SHOULD) does not hold')
})

test('the headline counts rules', () => {
  expect(headline(mixed)).toBe('not conformant: 2 rules failed, 1 rule with warnings')
})

const withoutJava = { ...process.env, JAVA_HOME: '/nowhere' }

test('without Java the HTML comes from Allure 3 of the project, or the advice says how', async ({}, info) => {
  const cwd = info.outputPath('project')
  mkdirSync(cwd, { recursive: true })
  const { directory: results } = await written(info.outputPath())
  const html = {
    results,
    directory: info.outputPath('allure'),
    title: headline(mixed),
    language: 'pl',
    history: info.outputPath('history'),
    cwd,
    env: withoutJava,
  }
  expect(await generateAllureHtml(html)).toHaveProperty(
    'missing',
    expect.stringContaining('npm install --save-dev allure'),
  )

  const allure = path.join(cwd, 'node_modules/allure')
  mkdirSync(path.join(allure, 'dist'), { recursive: true })
  writeFileSync(path.join(allure, 'package.json'), '{"name":"allure","main":"dist/index.js"}')
  writeFileSync(path.join(allure, 'dist/index.js'), '')
  writeFileSync(
    path.join(allure, 'cli.js'),
    `const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
     const [, , verb, , config, results] = process.argv
     const { output, name, historyPath, plugins } = JSON.parse(readFileSync(config, 'utf8'))
     const { singleFile, reportLanguage } = plugins.awesome.options
     if (verb !== 'generate' || !results || !singleFile || reportLanguage !== 'pl') process.exit(1)
     mkdirSync(output, { recursive: true })
     writeFileSync(output + '/index.html', name)
     writeFileSync(historyPath, '{}')`,
  )
  const file = path.join(html.directory, 'index.html')
  expect(await generateAllureHtml(html)).toEqual({ written: file })
  expect(readFileSync(file, 'utf8')).toBe(headline(mixed))
})

test('with Java the HTML has the headline, and continues the history', async ({}, info) => {
  test.skip(spawnSync('java', ['-version']).status !== 0, 'no Java on this machine')
  test.setTimeout(60_000)
  const history = info.outputPath('history')
  mkdirSync(history, { recursive: true })
  const before = [{ buildOrder: 41, data: { failed: 9, total: 9 } }]
  writeFileSync(path.join(history, 'history-trend.json'), JSON.stringify(before))
  const { directory: results } = await written(info.outputPath())
  const directory = info.outputPath('allure')
  const title = headline(mixed)
  const cwd = info.outputPath()
  const made = await generateAllureHtml({
    results,
    directory,
    title,
    language: 'pl',
    history,
    cwd,
    env: process.env,
  })
  expect(made).toEqual({ written: path.join(directory, 'index.html') })
  const page = readFileSync(path.join(directory, 'index.html'), 'utf8')
  expect(page).toContain('<html dir="ltr" lang="pl">')
  expect(page).toContain(
    Buffer.from(`"reportName":${JSON.stringify(title)}`.slice(0, 30))
      .toString('base64')
      .slice(4, 24),
  )
  const trend = JSON.parse(readFileSync(path.join(history, 'history-trend.json'), 'utf8')) as {
    buildOrder: number
    data: { failed: number }
  }[]
  expect(trend.map(({ buildOrder, data }) => [buildOrder, data.failed])).toEqual([
    [42, 2],
    [41, 9],
  ])
})

test('with Java a check that fails, passes and fails again is flaky', async ({}, info) => {
  test.skip(spawnSync('java', ['-version']).status !== 0, 'no Java on this machine')
  test.setTimeout(120_000)
  const directory = info.outputPath('allure')
  for (const verdict of ['fail', 'pass', 'fail'] as const) {
    const again = { ...mixed, findings: [{ ...failure, verdict }], planned: 1 }
    const { directory: results } = await written(info.outputPath(), again)
    const title = headline(again)
    const where = { results, directory, language: 'en', history: info.outputPath('history') }
    const cwd = info.outputPath()
    const made = await generateAllureHtml({ ...where, title, cwd, env: process.env })
    expect(made).toHaveProperty('written')
  }
  const page = readFileSync(path.join(directory, 'index.html'), 'utf8')
  const [, encoded = ''] = /d\('data\/test-cases\/[^']+','([^']+)'\)/.exec(page) ?? []
  expect(JSON.parse(Buffer.from(encoded, 'base64').toString())).toMatchObject({ flaky: true })
})
