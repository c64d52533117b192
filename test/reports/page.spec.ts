import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, expect, test } from '@playwright/test'
import type { Browser } from '@playwright/test'
import { outcomesOf } from '../../cli/gap-record.ts'
import { gaps } from '../../contract/gaps.ts'
import { rateRules } from '../../contract/limits.ts'
import { rules } from '../../contract/rules.ts'
import type { Rule } from '../../contract/types.ts'
import type { Comparison } from '../../reports/compare.ts'
import { compareRuns } from '../../reports/compare.ts'
import type { Finding } from '../../reports/finding.ts'
import { loadFigures } from '../../reports/charts/load-chart.ts'
import { figuresHtml } from '../../reports/charts/page.ts'
import { chartWords } from '../../reports/charts/words.ts'
import { noHistory, withRun } from '../../reports/history.ts'
import { killMatrix } from '../../reports/kill-matrix.ts'
import { reportPage } from '../../reports/page/page.ts'
import { escapeHtml } from '../../reports/html.ts'
import { polishSentences } from '../../contract/rules-pl.ts'
import { stakeOf, stakes } from '../../reports/page/stakes.ts'
import { languages } from '../../reports/page/languages.ts'
import type { Language } from '../../reports/page/languages.ts'

/** The report page: verdict first, nothing from the network, usable by keyboard, screen reader and on small screens. */

const failing = {
  rule: 'auth.status.wrong-bearer-refused',
  check: 'refuses <script>alert(1)</script>',
  verdict: 'fail',
  ms: 12,
  expected: '401 with a code of wrong-token',
  actual: '200',
  replay: 'assay check auth.status.wrong-bearer-refused --seed 7',
  exchanges: [{ curl: 'curl https://a.example', status: 200, answer: '{"a":1}', ms: 3 }],
} as const satisfies Finding
const findings: readonly Finding[] = [
  failing,
  { rule: 'auth.challenge.public', check: 'answers without a bearer', verdict: 'pass', ms: 4 },
  {
    rule: 'limits.rate.windows-slide',
    check: 'an hour passes',
    verdict: 'not-verifiable',
    ms: 0,
    reason: 'needs a clock',
    needs: ['clock'],
  },
]
const facts = {
  started: '2026-06-15T08:00:00Z',
  finished: '2026-06-15T08:01:00Z',
  seed: 7,
  namespace: 'a',
  target: 'https://test.example/api/v2',
  version: '0.1.0',
}
const pageOf = (
  language: Language,
  found: readonly Finding[] = findings,
  comparison?: Comparison,
) =>
  reportPage({
    outcomes: outcomesOf(found),
    comparison,
    run: { facts, findings: found, planned: found.length, notRun: [] },
    rules,
    gaps,
    language,
  })

test('states the verdict first and every rule, and escapes text of the target', () => {
  const page = pageOf('en')
  expect(page).toContain(
    '<h1>Conformance report <span class="badge fail">not conformant: 1 rule failed</span>',
  )
  for (const id of Object.keys(rules)) expect(page).toContain(`id="${id}"`)
  expect(page).not.toContain('<script>alert')
  expect(page).toContain('401 with a code of wrong-token')
  expect(page).toContain('curl https://a.example')
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
})

test('is available in Polish', () => {
  const page = pageOf('pl', findings.slice(1))
  expect(page).toContain('<html lang="pl">')
  expect(page).toContain('Raport zgodności')
  expect(page).toContain('Żadne sprawdzenie nie wykazało niezgodności.')
  expect(Object.keys(languages.pl)).toEqual(Object.keys(languages.en))
  expect(pageOf('pl')).toContain('niezgodny; niespełnione wymagania: 1')
})

test('shows what changed since an earlier run', () => {
  const earlier = [{ ...failing, verdict: 'pass' as const }, ...findings.slice(1)]
  const page = pageOf('en', findings, compareRuns(earlier, { findings, notRun: [] }))
  expect(page).toContain('<h2>Compared with the earlier run</h2>')
  expect(page).toContain('New failures <strong>1</strong>')
  expect(page).toContain(`<li>${escapeHtml(failing.check)}</li>`)
  const passed = findings.slice(1)
  const unchanged = compareRuns(passed, { findings: passed, notRun: [] })
  expect(pageOf('pl', passed, unchanged)).toContain('Nic się nie zmieniło.')
  expect(pageOf('en')).not.toContain('Compared with the earlier run')
})

test('states a reason only where it differs from the sentence of the rule', () => {
  const restating = { ...failing, reason: `Requirement not met: ${rules[failing.rule].sentence}` }
  expect(pageOf('en', [restating])).not.toContain('Requirement not met')
  expect(pageOf('en', [{ ...failing, reason: 'in its status' }])).toContain('in its status')
})

test('shows the charts of load and the defects that went unnoticed', () => {
  const figures = figuresHtml([{ title: 'Pace', svg: '<svg role="img"></svg>' }])
  const kills = killMatrix(
    [
      { id: 'auth.redeem.once/twice', breaks: ['auth.redeem.once'] },
      { id: 'auth.redeem.once/never', breaks: ['auth.redeem.once'] },
    ],
    [
      {
        mutant: 'auth.redeem.once/twice',
        rule: 'auth.redeem.once',
        check: 'twice',
        outcome: 'violated',
        ms: 1,
      },
    ],
  )
  const input = {
    outcomes: [],
    run: { facts, findings: [], planned: 0, notRun: [] },
    rules,
    gaps,
    figures,
    kills,
  }
  const page = reportPage({ ...input, language: 'en' })
  expect(page).toContain('<section><h2>Load</h2><figure><h3>Pace</h3>')
  expect(page).toContain('<svg role="img" aria-label="Pace">')
  expect(page).toContain('1 of 2 known defects were noticed.')
  expect(page).toContain('<h3>Not noticed</h3><ul><li><code>auth.redeem.once/never</code></li>')
  expect(reportPage({ ...input, language: 'pl' })).toContain('Wykryte znane błędy: 1 z 2.')
})

test('states what was not verified, and the result of each area', () => {
  const page = pageOf('en')
  expect(page).toContain('<h2>What was not verified</h2>')
  expect(page).toContain('The target does not offer a clock that the tester can set (clock)')
  expect(page).toMatch(/No check of this run was about \d+ of the rules/)
  expect(page).toContain('<a href="#area-auth">')
  expect(pageOf('pl')).toContain('W tej usłudze niedostępne: zegar, który może przestawiać tester')
})

test('shows each threshold of the rate table with its verdict', () => {
  const checked = (rule: string, variant: string): Finding => ({
    rule,
    check: `${rule} / ${variant}`,
    variant,
    verdict: 'pass',
    ms: 1,
  })
  const page = pageOf('en', [
    checked('limits.rate.each-rule', 'per second, queryMetadata'),
    { ...checked('limits.rate.each-rule', 'per hour, queryMetadata'), verdict: 'fail' },
    checked('limits.rate.default-rule', 'per minute'),
  ])
  const { perSecond, perHour } = rateRules.queryMetadata.window
  expect(page).toContain(`data-label="A second">${perSecond} <span class="badge pass">`)
  expect(page).toContain(`data-label="An hour">${perHour} <span class="badge fail">`)
  expect(page).toContain(`data-label="A minute">${rateRules.default.window.perMinute} <span`)
  expect(page).not.toContain(rateRules.exportCreate.operation)
  expect(pageOf('en')).not.toContain('<h2>Rate limits</h2>')
})

test('links the files of a finding', () => {
  const load = { ...failing, verdict: 'pass', files: ['load/report.html'] } as const
  expect(pageOf('en', [load])).toContain('<a href="load/report.html">load/report.html</a>')
})

test('an assumption states its outcome on the target', () => {
  const [rule = ''] =
    Object.entries(rules).find(
      ([, { level, assumes = [] }]: [string, Rule]) => level === 'MUST' && assumes.length > 0,
    ) ?? []
  const differing = { rule, check: 'c', ms: 1, verdict: 'fail', actual: 'something else' } as const
  expect(pageOf('en', [differing])).toContain(`different: ${rule}: something else`)
  expect(pageOf('en', [{ ...differing, verdict: 'pass' }])).toContain('>as assumed</td>')
})

test('every rule has a sentence in Polish, and its cost in both languages', () => {
  const page = pageOf('pl')
  const english = pageOf('en')
  for (const [id, { sentence }] of Object.entries(rules)) {
    const polish = polishSentences[id as keyof typeof polishSentences]
    expect(polish, id).toMatch(/^[A-ZŁŚŻ].*\.$/)
    expect(polish).not.toBe(sentence)
    expect(page).toContain(escapeHtml(polish))
    expect(english).toContain(escapeHtml(sentence))
    expect(page).toContain(escapeHtml(stakeOf(id)?.pl ?? 'none'))
    expect(english).toContain(escapeHtml(stakeOf(id)?.en ?? 'none'))
  }
  const sentences = Object.values(polishSentences)
  expect(new Set(sentences).size).toBe(sentences.length)
  expect(Object.keys(polishSentences).toSorted()).toEqual(Object.keys(rules).toSorted())
  for (const start of Object.keys(stakes))
    expect(
      Object.keys(rules).some((id) => `${id}.`.startsWith(`${start}.`)),
      start,
    ).toBe(true)
})

const binary = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (file) => existsSync(file),
)
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** A page with every part that a page can have. */
const fullPage = (language: Language): string => {
  const rate = { rule: 'limits.rate.each-rule', verdict: 'pass', ms: 1 } as const
  const rated = { ...rate, check: 'rate', variant: 'per second, batch' }
  const run = { facts, findings: [...findings, rated], planned: 4, notRun: [] }
  const before = (started: string, verdict: 'pass' | 'fail') => ({
    ...run,
    facts: { ...facts, started },
    findings: [{ ...failing, verdict }],
  })
  const history = [before('a', 'fail'), before('b', 'pass'), run].reduce(withRun, noHistory)
  const call = { t: 'call', op: 'a', i: 1, due: 0, begun: 0, ended: 9, status: 200 } as const
  const window = { perSecond: 10, perMinute: 30, perHour: 120 }
  const figures = figuresHtml(loadFigures([call], window, 1, chartWords[language]))
  const comparison = compareRuns([], run)
  const outcomes = outcomesOf(run.findings)
  return reportPage({ run, rules, gaps, outcomes, comparison, figures, history, language })
}

test('marks flaky checks, and shows earlier runs', () => {
  const page = fullPage('en')
  expect(page).toContain('1 of the failures is flaky')
  expect(page).toContain('<span class="badge flaky">flaky</span>')
  expect(fullPage('pl')).toContain('<span class="badge flaky">niestabilne</span>')
  expect(fullPage('pl')).toContain('Żądania i ich wyniki')
})

for (const language of ['en', 'pl'] as const)
  test(`axe finds nothing wrong in ${language}, the filter works, and a small screen shows all of it`, async ({}, info) => {
    test.skip(binary === undefined, 'no Chromium on this machine')
    const browser: Browser = await chromium.launch({
      executablePath: binary!,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    try {
      const file = path.join(info.outputDir, '..', `page-${language}-${info.workerIndex}.html`)
      writeFileSync(file, fullPage(language))
      for (const width of [1280, 390]) {
        const page = await browser.newPage({ viewport: { width, height: 800 } })
        await page.goto(pathToFileURL(file).href)
        await page.evaluate(readFileSync(axe, 'utf8'))
        const violations = await page.evaluate(
          'axe.run().then(r => r.violations.map(v => v.id + ": " + v.nodes[0].html))',
        )
        expect(violations, `${width} px`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
        await page.selectOption('#show', 'fail')
        expect(await page.locator('details.rule:visible').count()).toBe(1)
        await page.selectOption('#show', '')
        await page.fill('#search', 'challenge public')
        expect(await page.locator('details.rule:visible').count()).toBeLessThan(5)
      }
    } finally {
      await browser.close()
    }
  })
