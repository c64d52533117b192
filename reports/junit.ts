import junitReport from 'junit-report-builder'
import type { Builder } from 'junit-report-builder'
import { grouped } from './finding.ts'
import type { Finding } from './finding.ts'
import { areaOf } from './matrix.ts'
import type { Run } from './run.ts'
import { verdictLine } from './run.ts'

// Its types describe the ES module, Node loads the other build, whose default export is the builder itself.
const reportBuilder = junitReport as unknown as Builder

const messageOf = (finding: Finding): string =>
  [
    finding.reason,
    finding.cause && `cause: ${finding.cause}`,
    finding.expected && `expected: ${finding.expected}`,
    finding.actual && `actual: ${finding.actual}`,
    ...(finding.steps?.map((step, at) => `${at + 1}. ${step}`) ?? []),
    finding.replay,
  ]
    .filter(Boolean)
    .join('\n')

/**
 * JUnit XML of a run, one suite per area: what CI servers read. Skipped cases carry their reason; a planned check that
 * did not report is an error, because a CI server must not read it as passed.
 */
export const junit = (run: Run): string => {
  const report = reportBuilder.newBuilder()
  const { findings, notRun } = run
  for (const [area, group] of grouped(findings, ({ rule }) => areaOf(rule))) {
    const suite = report.testSuite().name(area)
    for (const finding of group) {
      const test = suite
        .testCase()
        .className(finding.rule)
        .name(finding.check)
        .time(finding.ms / 1000)
      const message = messageOf(finding)
      if (finding.verdict === 'fail') test.failure(message)
      else if (finding.verdict === 'broken' || finding.verdict === 'inconclusive')
        test.error(`${finding.verdict}: ${message}`)
      else if (finding.verdict === 'not-verifiable' || finding.verdict === 'not-applicable')
        test.skipped()
      if (finding.verdict !== 'pass') test.standardOutput(`${finding.verdict}: ${message}`)
    }
  }
  if (notRun.length > 0) {
    const suite = report.testSuite().name('not run')
    for (const { rule, check } of notRun)
      suite
        .testCase()
        .className(rule)
        .name(check)
        .error(`not run: ${verdictLine(run)}`)
  }
  return report.build()
}
