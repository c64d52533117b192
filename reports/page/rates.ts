import { rateRules } from '../../contract/limits.ts'
import type { RateRuleId } from '../../contract/limits.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { dialectOf } from '../../contract/dialects.ts'
import type { Window } from '../../contract/types.ts'
import type { Finding } from '../finding.ts'
import { escapeHtml } from '../html.ts'
import { verdictOfRule } from '../matrix.ts'
import type { Run } from '../run.ts'
import { badge } from './badge.ts'
import { tableHtml } from './table.ts'
import type { Words } from './words.ts'

/** The rate table, row by row, with the verdict on each threshold. */

const windows = {
  second: 'perSecond',
  minute: 'perMinute',
  hour: 'perHour',
} as const satisfies Record<keyof Words['windows'], keyof Window>

/** The checks of a threshold, by the variant that names the window and the row. */
const checksOf = (findings: readonly Finding[], row: RateRuleId, window: string): Finding[] =>
  findings.filter(
    ({ rule, variant }) =>
      (rule === 'limits.rate.each-rule' && variant === `per ${window}, ${row}`) ||
      (rule === 'limits.rate.default-rule' && row === 'default' && variant === `per ${window}`),
  )

/** Empty where the run was about no threshold. */
export function ratesHtml(words: Words, { facts, findings }: Run): string {
  const about = findings.filter(({ rule }) => rule.startsWith('limits.rate.'))
  const spans = Object.entries(words.windows) as [keyof Words['windows'], string][]
  const own: Dialect['rates'] = dialectOf(facts.dialect ?? 'svc')?.rates ?? {}
  const rows = (Object.keys(rateRules) as RateRuleId[]).flatMap((row) => {
    const limits = own[row] ?? rateRules[row].window
    const cells = spans.map(([window]) => {
      const verdict = verdictOfRule(checksOf(about, row, window))
      return verdict === undefined ? '' : `${limits[windows[window]]} ${badge(words, verdict)}`
    })
    if (cells.every((cell) => cell === '')) return []
    return [{ cells: [escapeHtml(words.rateRows[row] ?? rateRules[row].operation), ...cells] }]
  })
  if (rows.length === 0) return ''
  const heads = [words.operation, ...spans.map(([, label]) => label)]
  return `<section><h2>${words.rates}</h2><p>${words.ratesIntroduction}</p>${tableHtml(heads, rows)}</section>`
}
