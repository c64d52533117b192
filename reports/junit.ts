import junitReport from 'junit-report-builder'
import type { Builder } from 'junit-report-builder'
import { grouped } from './finding.ts'
import type { Finding } from './finding.ts'
import { areaOf } from './matrix.ts'

// Its types describe the ES module, Node loads the other build, whose default export is the builder itself.
const reportBuilder = junitReport as unknown as Builder

/** JUnit XML of a run, one suite per area: what CI servers read. Skipped cases carry their reason. */
export const junit = (findings: readonly Finding[]): string => {
  const report = reportBuilder.newBuilder()
  for (const [area, group] of grouped(findings, ({ rule }) => areaOf(rule))) {
    const suite = report.testSuite().name(area)
    for (const finding of group) {
      const test = suite
        .testCase()
        .className(finding.rule)
        .name(finding.check)
        .time(finding.ms / 1000)
      const message = [finding.reason, finding.expected && `expected: ${finding.expected}`]
        .concat(finding.actual && `actual: ${finding.actual}`)
        .concat(finding.steps?.map((step, at) => `${at + 1}. ${step}`) ?? [], finding.replay)
        .filter(Boolean)
        .join('\n')
      if (finding.verdict === 'fail') test.failure(message)
      else if (finding.verdict === 'broken' || finding.verdict === 'inconclusive')
        test.error(`${finding.verdict}: ${message}`)
      else if (finding.verdict === 'not-verifiable' || finding.verdict === 'not-applicable')
        test.skipped()
      if (finding.verdict !== 'pass') test.standardOutput(`${finding.verdict}: ${message}`)
    }
  }
  return report.build()
}
