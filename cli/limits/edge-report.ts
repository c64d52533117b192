import type { Measured } from '../../load/probes/job.ts'
import { thresholdKeys } from '../../load/probes/job.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { RunPage } from '../load/stored.ts'
import type { EdgeResult } from './edge-result.ts'

/** What a run of the probes prints and stores. */

const cell = (findings: readonly Measured[]): string => {
  const bad = findings.find(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive')
  if (bad !== undefined) return bad.verdict
  const good = findings.filter(({ verdict }) => verdict === 'pass').length
  return good > 0 ? `pass ${good}` : (findings[0]?.verdict ?? '')
}

const probesOfRows = new Set(['edge', 'sliding', 'held', 'retry-after'])

/** One screen: a line for each row, then the other probes, then what is wrong. */
export const edgeText = (result: EdgeResult): string => {
  const { findings } = result
  const ofRows = findings.filter(({ probe }) => probesOfRows.has(probe))
  const others = findings.filter(({ probe }) => !probesOfRows.has(probe))
  const line = (cells: readonly string[]) =>
    `  ${cells.map((text, at) => text.padEnd(at === 0 ? 20 : 16)).join('')}`.trimEnd()
  return [
    `${result.verdict}  limit-edge at ${result.target}, ${result.time} time, seed ${result.seed}: ${result.requests} calls`,
    line(['rule', 'second', 'minute', 'hour']),
    ...[...new Set(ofRows.map(({ row }) => row))].map((row) =>
      line([
        row,
        ...(['second', 'minute', 'hour'] as const).map((window) =>
          cell(ofRows.filter((one) => one.row === row && one.window === window)),
        ),
      ]),
    ),
    '',
    ...[...new Set(others.map(({ probe }) => probe))].map((probe) => {
      const own = others.filter((one) => one.probe === probe)
      const seen = own.length === 1 ? own[0]?.actual : `${own.length} aspects`
      return line([probe, cell(own), seen ?? ''])
    }),
    ...(result.reasons.length > 0 ? ['', ...result.reasons.map((reason) => `  ${reason}`)] : []),
    '',
  ].join('\n')
}

const windows = Object.keys(thresholdKeys)

/** The page of a run: its pictures, and every finding in a table. */
export const edgePage = async (
  result: EdgeResult,
  trace: readonly TraceLine[],
): Promise<RunPage> => {
  const { edgeFigures } = await import('../../reports/charts/edge-chart.ts')
  const { pageHtml } = await import('../../reports/charts/page.ts')
  const figures = edgeFigures(result.findings, trace)
  const order = ({ window }: Measured) => windows.indexOf(window ?? '')
  const html = pageHtml({
    title: 'Limits: every row and threshold',
    verdict: result.verdict,
    summary: [
      `Target ${result.target}, ${result.time} time, seed ${result.seed}, ${result.requests} calls`,
      `${result.started} to ${result.finished}`,
      ...result.reasons,
    ],
    figures,
    tables: [
      {
        title: 'Findings',
        head: ['probe', 'rule', 'window', 'verdict', 'expected', 'seen'],
        rows: result.findings
          .toSorted((a, b) => a.row.localeCompare(b.row) || order(a) - order(b))
          .map((one) => [
            one.probe,
            one.row,
            one.window ?? '',
            one.verdict,
            one.expected,
            one.actual,
          ]),
      },
    ],
  })
  return { html, figures }
}
