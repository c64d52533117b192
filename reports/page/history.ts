import { flakyChecks } from '../history.ts'
import type { History } from '../history.ts'
import { isBad } from '../../lib/verdict.ts'
import type { Finding } from '../finding.ts'
import { escapeHtml } from '../html.ts'
import { instant } from './instant.ts'
import { tableHtml } from './table.ts'
import type { Words } from './words.ts'

/** The last runs, this one included, and how many of its failures are flaky. */
export function historyHtml(words: Words, history: History, findings: readonly Finding[]): string {
  if (history.runs.length < 2) return ''
  const unstable = flakyChecks(history)
  const count = findings.filter(
    ({ check, verdict }) => isBad(verdict) && unstable.has(check),
  ).length
  const rows = history.runs.toReversed().map(({ started, verdict, failed, verified, of }) => ({
    cells: [
      escapeHtml(instant(started)),
      escapeHtml(words.conclusion[verdict] ?? verdict),
      String(failed),
      `${verified} / ${of}`,
    ],
  }))
  const heads = [words.started, words.verdict, words.failedRules, words.verifiedChecks]
  const remark = count === 0 ? '' : `<p>${escapeHtml(words.flakyCount(count))}</p>`
  return `<section><h2>${words.history}</h2>${remark}<p>${words.historyIntroduction}</p>${tableHtml(heads, rows)}</section>`
}
