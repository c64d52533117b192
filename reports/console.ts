import type { Finding } from './finding.ts'
import { totalsOf, verdicts } from './finding.ts'

/** One finding, as a person reads it: requirement, expected, actual, clause, how to run it again. */
export const explain = (finding: Finding, clause: string | undefined): string =>
  [
    `${finding.verdict.toUpperCase()} ${finding.rule}${finding.variant ? ` (${finding.variant})` : ''}`,
    finding.reason && `  reason:   ${finding.reason}`,
    finding.expected && `  expected: ${finding.expected}`,
    finding.actual && `  actual:   ${finding.actual}`,
    clause && `  clause:   ${clause}`,
    finding.steps?.length &&
      `  steps:    ${finding.steps.map((step, at) => `${at + 1}. ${step}`).join('\n            ')}`,
    finding.exchanges?.length &&
      `  call:     ${finding.exchanges.at(-1)?.curl.split('\n').join('\n            ')}`,
    finding.replay && `  replay:   ${finding.replay}`,
  ]
    .filter(Boolean)
    .join('\n')

/** The totals in one line, nothing that is zero. */
export const totalsLine = (findings: readonly Finding[]): string => {
  const totals = totalsOf(findings)
  return (
    verdicts
      .filter((verdict) => totals[verdict] > 0)
      .map((verdict) => `${totals[verdict]} ${verdict}`)
      .join(', ') || 'nothing ran'
  )
}
