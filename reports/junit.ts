import junitReport from 'junit-report-builder'
import type { Builder, TestSuite } from 'junit-report-builder'
import type { Rule } from '../contract/types.ts'
import { grouped } from './finding.ts'
import type { Finding } from './finding.ts'
import { headline, verdictLine } from './run.ts'
import type { Run } from './run.ts'

// The types describe the ES module; Node loads the other build, whose default export is the builder itself.
const reportBuilder = junitReport as unknown as Builder

const messageOf = (finding: Finding): string =>
  [
    finding.reason,
    finding.cause && `cause: ${finding.cause}`,
    finding.expected && `expected: ${finding.expected}`,
    finding.actual && `actual: ${finding.actual}`,
    finding.likely && `likely cause: ${finding.likely}`,
    ...(finding.steps?.map((step, at) => `${at + 1}. ${step}`) ?? []),
    finding.replay,
  ]
    .filter(Boolean)
    .join('\n')

/** A file of the run, in the notation by which CI servers find the attachments of a case. */
const attached = ({ har }: Finding): string => (har === undefined ? '' : `\n[[ATTACHMENT|${har}]]`)

const addCase = (suite: TestSuite, finding: Finding): void => {
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
  const output = `${finding.verdict === 'pass' ? '' : `${finding.verdict}: ${message}`}${attached(finding)}`
  if (output !== '') test.standardOutput(output)
}

/**
 * JUnit XML of a run, one suite per rule: what CI servers read. The properties of a suite are those of the rule and of
 * the run, because the schema that CI servers validate against has none for a single case. Skipped cases state why; a
 * planned check that did not report is an error, because a CI server must not read it as passed.
 */
export const junit = (run: Run, rules: Readonly<Record<string, Rule>>): string => {
  const report = reportBuilder.newBuilder().name(headline(run))
  const { facts, findings, notRun } = run
  const suiteOf = (name: string): TestSuite => {
    const rule = rules[name]
    const suite = report
      .testSuite()
      .name(name)
      .property('target', facts.target)
      .property('seed', String(facts.seed))
      .property('namespace', facts.namespace)
      .property('assay', facts.version)
    if (rule !== undefined)
      suite
        .property('rule', name)
        .property('level', rule.level)
        .property('requirement', rule.sentence)
        .property('clause', rule.clause)
    return suite
  }
  for (const [rule, group] of grouped(findings, (finding) => finding.rule)) {
    const suite = suiteOf(rule)
    const [start] = group.flatMap(({ started }) => started ?? []).toSorted()
    if (start !== undefined) suite.timestamp(start)
    for (const finding of group) addCase(suite, finding)
  }
  if (notRun.length > 0) {
    const suite = suiteOf('not run')
    for (const { rule, check } of notRun)
      suite
        .testCase()
        .className(rule)
        .name(check)
        .error(`not run: ${verdictLine(run)}`)
  }
  // The builder counts skipped cases of the whole report in an attribute that the schema does not have.
  return report.build().replace(/(<testsuites[^>]*?) skipped="\d+"/, '$1')
}
