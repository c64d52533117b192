import { createHash } from 'node:crypto'
import type { Rule } from '../contract/types.ts'
import type { CiBuild } from './ci-build.ts'
import { areaOf } from './finding.ts'
import type { Finding, Verdict } from './finding.ts'
import { flakyChecks, noHistory } from './history.ts'
import type { History } from './history.ts'
import type { PlannedCheck } from './plan.ts'
import { conclusionOf, headline } from './run.ts'
import type { Run } from './run.ts'

/** Common Test Report Format 0.0, https://ctrf.io: one JSON document that many tools read. */

const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'] as const
type Status = (typeof statuses)[number]

/** A warning is not a pass, and a check without a verdict is not a failure of the target. */
const statusOf: Readonly<Record<Verdict, Status>> = {
  pass: 'passed',
  observed: 'passed',
  warn: 'other',
  known: 'other',
  fail: 'failed',
  inconclusive: 'other',
  broken: 'other',
  'not-verifiable': 'skipped',
  'not-applicable': 'skipped',
}

interface CtrfTest {
  readonly name: string
  readonly status: Status
  readonly duration: number
  readonly [member: string]: unknown
}

type Rules = Readonly<Record<string, Rule>>

/** The same check has the same id in every run. */
const idOf = (rule: string, check: string): string =>
  createHash('sha256').update(`${rule} ${check}`).digest('hex').slice(0, 32)

const factsOf = (id: string, rules: Rules): object => {
  const rule = rules[id]
  return rule === undefined
    ? { rule: id }
    : { rule: id, level: rule.level, requirement: rule.sentence, clause: rule.clause }
}

const timesOf = ({ started, ms }: Finding): object => {
  if (started === undefined) return {}
  const start = Date.parse(started)
  return { start, stop: start + Math.round(ms) }
}

const defined = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const testOf = (finding: Finding, rules: Rules, unstable: ReadonlySet<string>): CtrfTest => {
  const { rule, check, variant, verdict, reason, cause, expected, actual, worker, har } = finding
  const { fault, likely, replay, steps } = finding
  const message = [reason, cause && `cause: ${cause}`].filter(Boolean).join('\n')
  return {
    testId: idOf(rule, check),
    name: check,
    status: statusOf[verdict],
    rawStatus: verdict,
    duration: Math.round(finding.ms),
    ...(unstable.has(check) && { flaky: true }),
    ...timesOf(finding),
    suite: [areaOf(rule), rule],
    tags: [areaOf(rule), rules[rule]?.level ?? 'MUST'],
    ...(message === '' ? {} : { message }),
    ...(worker === undefined ? {} : { threadId: String(worker) }),
    ...(har === undefined
      ? {}
      : { attachments: [{ name: 'exchanges', contentType: 'application/json', path: har }] }),
    extra: {
      ...factsOf(rule, rules),
      ...defined({ variant, expected, actual, fault, likely, replay, steps }),
    },
  }
}

const unreported = ({ rule, check }: PlannedCheck, rules: Rules): CtrfTest => ({
  testId: idOf(rule, check),
  name: check,
  status: 'other',
  rawStatus: 'not run',
  duration: 0,
  suite: [areaOf(rule), rule],
  message: 'the run ended before this check',
  extra: factsOf(rule, rules),
})

const environmentOf = (build: CiBuild | undefined): object =>
  build === undefined
    ? {}
    : {
        ...defined({
          repositoryName: build.repository,
          branchName: build.branch,
          commit: build.commit,
        }),
        buildName: build.name,
        buildNumber: build.number,
        buildUrl: build.url,
      }

/** The report of a run in CTRF. */
export const ctrf = (run: Run, rules: Rules, history: History = noHistory): object => {
  const { facts, findings, notRun } = run
  const unstable = flakyChecks(history)
  const tests = [
    ...findings.map((finding) => testOf(finding, rules, unstable)),
    ...notRun.map((planned) => unreported(planned, rules)),
  ]
  const counts = Object.fromEntries(
    statuses.map((status) => [status, tests.filter((test) => test.status === status).length]),
  )
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: facts.finished,
    generatedBy: `assay ${facts.version}`,
    results: {
      tool: { name: 'assay', version: facts.version },
      summary: {
        tests: tests.length,
        ...counts,
        suites: new Set(tests.map(({ suite }) => String(suite))).size,
        start: Date.parse(facts.started),
        stop: Date.parse(facts.finished),
        extra: { verdict: conclusionOf(run).verdict, headline: headline(run) },
      },
      tests,
      environment: {
        ...environmentOf(facts.build),
        testEnvironment: facts.target,
        extra: { seed: facts.seed, namespace: facts.namespace },
      },
    },
  }
}
