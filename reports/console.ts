import { causeLine, causesOf } from './causes.ts'
import type { Cause } from './causes.ts'
import { grouped, totalsLine } from './finding.ts'
import type { Finding, RecordedExchange } from './finding.ts'
import { leftLine } from './left.ts'
import { coverageLine, verdictLine } from './run.ts'
import type { Run } from './run.ts'

const maxResponse = 400

const responseOf = (exchange: RecordedExchange | undefined): string => {
  const { status, answer } = exchange ?? { status: 0, answer: '' }
  return `${status} ${answer.length > maxResponse ? `${answer.slice(0, maxResponse)}...` : answer}`.trimEnd()
}

/** One finding, as a person reads it: requirement, expected, actual, clause, how to run it again. */
export const explain = (finding: Finding, clause: string | undefined): string =>
  [
    `${finding.verdict.toUpperCase()} ${finding.rule}${finding.variant ? ` (${finding.variant})` : ''}`,
    finding.reason && `  reason:   ${finding.reason}`,
    finding.expected && `  expected: ${finding.expected}`,
    finding.actual && `  actual:   ${finding.actual}`,
    finding.likely && `  likely:   ${finding.likely}`,
    clause && `  clause:   ${clause}`,
    finding.steps?.length &&
      `  steps:    ${finding.steps.map((step, at) => `${at + 1}. ${step}`).join('\n            ')}`,
    finding.exchanges?.length &&
      `  call:     ${finding.exchanges.at(-1)?.curl.split('\n').join('\n            ')}`,
    finding.exchanges?.length && `  response: ${responseOf(finding.exchanges.at(-1))}`,
    finding.replay && `  replay:   ${finding.replay}`,
  ]
    .filter(Boolean)
    .join('\n')

/** Many findings with one cause: the cause once, and the first of them as an example. */
const explainCause = (cause: Cause): string => {
  const [example] = cause.findings
  return [
    causeLine(cause),
    example && `  example:  ${example.rule}${example.variant ? ` (${example.variant})` : ''}`,
    example?.actual && `  actual:   ${example.actual}`,
    example?.replay && `  replay:   ${example.replay}`,
  ]
    .filter(Boolean)
    .join('\n')
}

const listedVerdicts: ReadonlySet<string> = new Set(['fail', 'broken', 'inconclusive', 'warn'])

/** A run on the terminal: shared causes, then single findings, what was not verified, and the verdict last. */
export const summary = (
  run: Run,
  clauseOf: (rule: string) => string | undefined,
): readonly string[] => {
  const { causes, left } = causesOf(
    run.findings.filter(({ verdict }) => listedVerdicts.has(verdict)),
  )
  const unverified = grouped(
    run.findings.filter(({ verdict }) => verdict === 'not-verifiable'),
    ({ reason }) => reason ?? '',
  )
  const created = leftLine(run.findings)
  const notRun = run.notRun.length === 0 ? '' : `, ${run.notRun.length} not run`
  return [
    coverageLine(run),
    ...causes.map((cause) => `${explainCause(cause)}\n`),
    ...left.map((finding) => `${explain(finding, clauseOf(finding.rule))}\n`),
    ...(created === undefined ? [] : [created]),
    ...[...unverified].map(([reason, group]) => `not verifiable (${group.length}): ${reason}`),
    `${totalsLine(run.findings)}${notRun}`,
    `verdict: ${verdictLine(run)}`,
  ]
}
