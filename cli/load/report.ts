import type { Window } from '../../contract/types.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { Table } from '../../reports/charts/page.ts'
import type { LoadResult } from './result.ts'
import type { RunIdentity } from './setup.ts'
import type { RunPage } from './stored.ts'

/** The page of a run: one HTML file that needs nothing but itself. */

const listed = (numbers: readonly string[]): string =>
  numbers.length === 0
    ? '0'
    : `${numbers.length}: ${numbers.slice(0, 50).join(', ')}${numbers.length > 50 ? ' ...' : ''}`

const accountRows = ({ account }: LoadResult): readonly (readonly string[])[] => [
  ['planned', String(account.planned)],
  ['sent', String(account.sent)],
  ['accepted', String(account.accepted)],
  ...Object.entries(account.refused).map(([code, times]) => [
    `refused with ${code}`,
    String(times),
  ]),
  ['not sent', listed(account.notSent)],
  ['without an answer, in a session', listed(account.unknown.found)],
  ['without an answer, in no session', listed(account.unknown.notFound)],
  ['in a session that could not be read', listed(account.unread)],
  ['lost', listed(account.lost)],
  ['doubled', listed(account.doubled)],
  ['wrong hash', listed(account.wrongHash)],
  ['rejected after acceptance', listed(account.rejected)],
  ['in a session in spite of a refusal', listed(account.unexpected)],
  ['missing from the receipt', listed(account.withoutReceipt)],
]

/** The account of a run as a table. */
export const accountTable = (result: LoadResult): Table => ({
  title: 'Account of the invoices, by number',
  head: ['outcome', 'invoices'],
  rows: accountRows(result),
})

/** What every run states of itself. */
export interface Reported extends RunIdentity {
  /** Thresholds of the calls of each context, where they are limited. */
  readonly window?: Window
  readonly contexts?: number
  readonly finished: string
  readonly verdict: string
  readonly reasons: readonly string[]
}

/**
 * The page of a run with its pictures.
 * @param text the summary that the terminal shows
 */
export const runPage = async (
  result: Reported,
  trace: readonly TraceLine[],
  text: string,
  tables: readonly Table[] = [],
): Promise<RunPage> => {
  const { loadFigures } = await import('../../reports/charts/load-chart.ts')
  const { pageHtml } = await import('../../reports/charts/page.ts')
  const figures = loadFigures(trace, result.window, result.contexts)
  const html = pageHtml({
    title: `Load: ${result.scenario} (${result.profile})`,
    verdict: result.verdict,
    summary: [
      `Target ${result.target}, limits ${result.limits}, seed ${result.seed}`,
      `${result.started} to ${result.finished}`,
      ...result.reasons,
    ],
    figures,
    tables,
    text,
  })
  return { html, figures }
}
