import { areas, areaTitles } from '../../contract/types.ts'
import type { Area, Gap, Rule } from '../../contract/types.ts'
import { causesOf } from '../causes.ts'
import type { Comparison } from '../compare.ts'
import { areaOf, grouped, totalsOf } from '../finding.ts'
import type { Finding } from '../finding.ts'
import type { GapOutcome } from '../gap-outcomes.ts'
import { flakyChecks, noHistory } from '../history.ts'
import type { History } from '../history.ts'
import { escapeHtml } from '../html.ts'
import type { KillMatrix } from '../kill-matrix.ts'
import { verdictOfRule } from '../matrix.ts'
import { conclusionOf } from '../run.ts'
import type { Run } from '../run.ts'
import { script, style } from './assets.ts'
import { badge } from './badge.ts'
import type { Shown } from './badge.ts'
import { unverifiedHtml } from './coverage.ts'
import { coverageIn, headlineIn } from './headline.ts'
import { historyHtml } from './history.ts'
import { instant } from './instant.ts'
import { killMatrixHtml } from './kill-matrix.ts'
import { marked } from './marked.ts'
import { ratesHtml } from './rates.ts'
import { sentenceIn } from './sentence.ts'
import { stakeOf } from './stakes.ts'
import { tableHtml } from './table.ts'
import { languages } from './languages.ts'
import type { Language } from './languages.ts'
import type { Words } from './words.ts'

/**
 * The report of a run as one HTML file: it opens from disk, needs no network, no Java and no server, and can be
 * searched, filtered, printed and read by keyboard.
 */
export interface PageInput {
  readonly run: Run
  readonly rules: Readonly<Record<string, Rule>>
  readonly gaps: Readonly<Record<string, Gap>>
  /** What the assumptions turned out to be on the target. */
  readonly outcomes: readonly GapOutcome[]
  /** What changed since the run that this one is compared with. */
  readonly comparison?: Comparison | undefined
  /** Charts of the load of this run, as HTML. */
  readonly figures?: readonly string[]
  /** Which defects the checks noticed, where they ran against mutants. */
  readonly kills?: KillMatrix | undefined
  /** The runs against this target that are remembered, this one included. */
  readonly history?: History | undefined
  readonly language: Language
}

/** Whom the page is for, and what it is about. */
interface Reader {
  readonly words: Words
  readonly language: Language
  readonly rules: PageInput['rules']
  /** Titles of the checks that fail and pass in turn. */
  readonly flaky: ReadonlySet<string>
}

const pairs = (rows: readonly (readonly [string, string | undefined])[]): string =>
  `<dl>${rows
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value!)}</dd>`)
    .join('')}</dl>`

/** Expected and received side by side, with what differs marked. */
function valuesHtml(
  words: Words,
  expected: string | undefined,
  actual: string | undefined,
): string {
  const { left, right } = marked(expected ?? '', actual ?? '')
  const value = (label: string, text: string | undefined, html: string): string =>
    text === undefined || text === ''
      ? ''
      : `<div><h4>${escapeHtml(label)}</h4><pre tabindex="0">${html}</pre></div>`
  const both = value(words.expected, expected, left) + value(words.received, actual, right)
  return both === '' ? '' : `<div class="values">${both}</div>`
}

/** One check: its verdict and, unless it passed, what was expected, what was received and how to reproduce it. */
function checkHtml({ words, rules, flaky }: Reader, finding: Finding): string {
  const { check, verdict, expected, actual, likely, replay } = finding
  const sentence = rules[finding.rule]?.sentence
  // The sentence of the rule is shown above.
  const restated = sentence !== undefined && finding.reason?.includes(sentence) === true
  const reason = restated ? undefined : finding.reason
  const { steps = [], exchanges = [], files = [] } = finding
  const links = files.map((file) => `<a href="${escapeHtml(file)}">${escapeHtml(file)}</a>`)
  const mark = flaky.has(check) ? ` <span class="badge flaky">${words.flaky}</span>` : ''
  const head = `${badge(words, verdict)}${mark} ${escapeHtml(check)}${
    links.length === 0 ? '' : ` (${words.files}: ${links.join(', ')})`
  }`
  if (verdict === 'pass' && exchanges.length === 0) return `<li>${head}</li>`
  const calls = exchanges
    .map(
      ({ curl, status, answer, ms }) =>
        `<pre tabindex="0">${escapeHtml(`${curl}\n\n${status} (${ms} ms)\n${answer}`)}</pre>`,
    )
    .join('')
  const story = steps.map((step) => `<li>${escapeHtml(step)}</li>`).join('')
  return `<li>${head}${pairs([
    [words.reason, reason],
    [words.likely, likely],
  ])}${valuesHtml(words, expected, actual)}${pairs([[words.replay, replay]])}${story === '' ? '' : `<ol>${story}</ol>`}${
    calls === ''
      ? ''
      : `<details><summary>${words.calls} (${exchanges.length})</summary>${calls}</details>`
  }</li>`
}

function ruleHtml(reader: Reader, id: string, rule: Rule, found: readonly Finding[]): string {
  const { words, language } = reader
  const verdict: Shown = verdictOfRule(found) ?? 'not run'
  const sentence = sentenceIn(id, rule, language)
  const text = `${id} ${sentence} ${rule.sentence} ${rule.clause}`.toLowerCase()
  return `<details class="rule" id="${id}" data-verdict="${verdict}" data-text="${escapeHtml(text)}"><summary>${badge(words, verdict)} <code>${id}</code> <span>${escapeHtml(sentence)}</span></summary>${pairs(
    [
      [words.level, rule.level],
      [words.clause, rule.clause],
      [words.stake, stakeOf(id)?.[language]],
    ],
  )}<ul class="checks">${found.map((finding) => checkHtml(reader, finding)).join('')}</ul></details>`
}

const requirementHtml = (id: string, rule: Rule | undefined, language: Language): string =>
  rule === undefined
    ? ''
    : `<p>${escapeHtml(`${sentenceIn(id, rule, language)} (${rule.clause})`)}</p>`

function failuresHtml(reader: Reader, { run: { findings } }: PageInput): string {
  const { words, language, rules } = reader
  const failed = findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'broken')
  if (failed.length === 0) return `<p>${words.noFailures}</p>`
  const { causes, left } = causesOf(failed)
  const shared = causes.map(
    ({ text, findings: group, rules: concerned }) =>
      `<details class="cause"><summary><strong>${escapeHtml(text)}</strong> <span>${escapeHtml(words.sameCause(group.length, concerned))}</span></summary><ul class="checks">${group.map((each) => checkHtml(reader, each)).join('')}</ul></details>`,
  )
  const single = [...grouped(left, ({ rule }) => rule)].map(
    ([rule, group]) =>
      `<article><h3><a href="#${rule}"><code>${rule}</code></a></h3>${requirementHtml(rule, rules[rule], language)}<ul class="checks">${group.map((each) => checkHtml(reader, each)).join('')}</ul></article>`,
  )
  return [...shared, ...single].join('')
}

const maximumSeen = 200

/** One line of what was seen; the finding has the rest. */
const shortened = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > maximumSeen ? `${line.slice(0, maximumSeen)}…` : line
}

/** The assumptions that the checks of this run rest on. */
function gapsHtml({ words }: Reader, { gaps, outcomes }: PageInput): string {
  const outcomeOf = new Map<string, GapOutcome>(outcomes.map((outcome) => [outcome.gap, outcome]))
  const rows = Object.entries(gaps).flatMap(([id, { question, assumption }]) => {
    const { state = 'not seen', seen = [], rules = [] } = outcomeOf.get(id) ?? {}
    if (rules.length === 0) return []
    const links = rules.map((rule) => `<a href="#${rule}"><code>${rule}</code></a>`).join(' ')
    const found = [words.gapStates[state], ...seen.slice(0, 1).map(shortened)].join(': ')
    return [{ cells: [...[question, assumption, found].map(escapeHtml), links] }]
  })
  const heads = [words.question, words.assumption, words.onTarget, words.rulesOf]
  return `<p>${words.gapsIntroduction}</p>${tableHtml(heads, rows)}`
}

const areaTitle = (words: Words, area: Area): string => words.areas[area] ?? areaTitles[area]

/** How the rules of each area fared, at a glance. */
function byAreaHtml({ words, rules }: Reader, { run }: PageInput): string {
  const byRule = grouped(run.findings, ({ rule }) => rule)
  const verdictBy = (id: string): Shown => verdictOfRule(byRule.get(id) ?? []) ?? 'not run'
  const all = Object.keys(rules).map((id) => ({ area: areaOf(id), verdict: verdictBy(id) }))
  const columns = (Object.keys(words.verdicts) as Shown[]).filter((shown) =>
    all.some(({ verdict }) => verdict === shown),
  )
  const rows = areas.flatMap((area) => {
    const own = all.filter((one) => one.area === area)
    if (own.length === 0) return []
    const counts = columns.map((shown) => own.filter(({ verdict }) => verdict === shown).length)
    const link = `<a href="#area-${area}">${escapeHtml(areaTitle(words, area))}</a>`
    return [{ cells: [link, ...counts.map((count) => (count === 0 ? '' : String(count)))] }]
  })
  const heads = [words.area, ...columns.map((shown) => words.verdicts[shown])]
  return `<section class="counts"><h2>${words.byArea}</h2>${tableHtml(heads, rows)}</section>`
}

function areasHtml(reader: Reader, { run }: PageInput): string {
  const { rules, words } = reader
  const byRule = grouped(run.findings, ({ rule }) => rule)
  return areas
    .map((area) => {
      const ids = Object.keys(rules).filter((id) => areaOf(id) === area)
      if (ids.length === 0) return ''
      const items = ids.map((id) => ruleHtml(reader, id, rules[id]!, byRule.get(id) ?? []))
      return `<section class="area" id="area-${area}"><h3>${escapeHtml(areaTitle(words, area))}</h3>${items.join('')}</section>`
    })
    .join('')
}

function summaryHtml({ words }: Reader, { run }: PageInput): string {
  const { facts, findings } = run
  const totals = Object.entries(totalsOf(findings)).filter(([, count]) => count > 0)
  const counts = totals.map(
    ([verdict, count]) => `<li>${badge(words, verdict as Shown)} <strong>${count}</strong></li>`,
  )
  return `<p>${escapeHtml(coverageIn(words, run))}</p><ul class="totals">${counts.join('')}</ul>${pairs(
    [
      [words.target, facts.target],
      [words.dialect, facts.dialect],
      [words.started, instant(facts.started)],
      [words.finished, instant(facts.finished)],
      [words.seed, `${facts.seed}, ${facts.namespace}`],
      [words.version, facts.version],
    ],
  )}`
}

/** A longer list would push everything else off the screen. */
const maximumOpen = 10

/** What changed since an earlier run; nothing where there is none. */
function comparisonHtml({ words }: Reader, { comparison }: PageInput): string {
  if (comparison === undefined) return ''
  const groups = (Object.keys(words.changes) as (keyof Comparison)[]).flatMap((change) => {
    const checks = comparison[change]
    const items = checks.map((check) => `<li>${escapeHtml(check)}</li>`).join('')
    if (checks.length === 0) return []
    return [
      `<details${change === 'new' && checks.length <= maximumOpen ? ' open' : ''}><summary>${escapeHtml(words.changes[change])} <strong>${checks.length}</strong></summary><ul>${items}</ul></details>`,
    ]
  })
  const shown = groups.length === 0 ? `<p>${words.unchanged}</p>` : groups.join('')
  return `<section><h2>${words.compared}</h2>${shown}</section>`
}

const filterHtml = (words: Words): string =>
  `<form role="search" id="filter"><label>${words.search} <input type="search" id="search" autocomplete="off"></label> <label>${words.show} <select id="show"><option value="">${words.everything}</option>${Object.entries(
    words.verdicts,
  )
    .map(([verdict, name]) => `<option value="${verdict}">${name}</option>`)
    .join('')}</select></label></form>`

/** The whole page. */
export function reportPage(input: PageInput): string {
  const { run, language, figures = [], kills, history = noHistory } = input
  const words: Words = languages[language]
  const reader: Reader = { words, language, rules: input.rules, flaky: flakyChecks(history) }
  const { verdict } = conclusionOf(run)
  const line = headlineIn(words, run)
  const isProved = kills === undefined || kills.exit === 0
  const state = !isProved
    ? 'fail'
    : verdict === 'conformant'
      ? 'pass'
      : verdict === 'not conformant'
        ? 'fail'
        : 'broken'
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${words.title}: ${escapeHtml(line)}</title><style>${style}</style></head><body>
<header><h1>${words.title} <span class="badge ${state}">${escapeHtml(line)}</span></h1></header>
<main>
<section><h2>${words.summary}</h2>${summaryHtml(reader, input)}</section>
<section><h2>${words.failures}</h2>${failuresHtml(reader, input)}</section>
${comparisonHtml(reader, input)}
${historyHtml(words, history, run.findings)}
${byAreaHtml(reader, input)}
${unverifiedHtml(words, input.rules, run)}
${ratesHtml(words, run)}
${kills === undefined ? '' : killMatrixHtml(words, kills)}
${figures.length === 0 ? '' : `<section><h2>${words.load}</h2>${figures.join('')}</section>`}
<section><h2>${words.requirements}</h2>${filterHtml(words)}${areasHtml(reader, input)}</section>
<section><h2>${words.gaps}</h2>${gapsHtml(reader, input)}</section>
</main><script>${script}</script></body></html>
`
}
