import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter'
import { redactText } from '../lib/redact.ts'
import { explain, totalsLine } from './console.ts'
import { exitCodeOf, totalsOf } from './finding.ts'
import type { Finding, RecordedExchange } from './finding.ts'
import { isBad, killMatrix, plain } from './verdict.ts'
import type { Outcome, Trial } from './verdict.ts'

/**
 * Turns what Playwright reports into findings. The fixtures have judged already, where the target is known, and left
 * the finding in an annotation; what ended before they could (a crash, a time-out of a fixture) is `broken` here.
 * Writes, into the output directory of the run: `findings.ndjson`, line by line as checks end, `totals.json`, and in
 * mutate mode `mutants.json`.
 */

/** What the configuration of a run tells its reporter. */
export interface RunFacts {
  readonly out: string
  readonly seed: number
  readonly namespace: string
  readonly target: string
  /** In mutate mode: every mutant of the run, also those that no check breaks. */
  readonly mutants?: readonly { readonly id: string; readonly breaks: readonly string[] }[]
}

interface FindingNote {
  readonly finding: Finding
  readonly outcome: Outcome
  readonly mutant?: string
}

const note = (result: TestResult, test: TestCase, type: string): string | undefined =>
  [...result.annotations, ...test.annotations].find((annotation) => annotation.type === type)
    ?.description

const exchangesOf = (result: TestResult): readonly RecordedExchange[] | undefined => {
  const body = result.attachments.find(({ name }) => name === 'exchanges')?.body
  return body === undefined ? undefined : (JSON.parse(body.toString()) as RecordedExchange[])
}

const firstLines = (text: string, count: number): string =>
  text.split('\n').slice(0, count).join('\n')

const messageOf = (error: TestError | undefined): string =>
  redactText(plain(error?.message ?? error?.value ?? 'no error was reported'))

/** The finding of a check that ended before it could be judged. */
const unjudged = (
  test: TestCase,
  result: TestResult,
  rule: string,
  variant: string | undefined,
) => {
  const interrupted = result.status === 'interrupted' || result.status === 'skipped'
  return {
    rule,
    check: test.title,
    ...(variant === undefined ? {} : { variant }),
    verdict: interrupted ? 'inconclusive' : 'broken',
    ms: result.duration,
    reason: interrupted
      ? 'the run ended before this check'
      : firstLines(messageOf(result.errors[0]), 6),
  } satisfies Finding
}

export default class FindingsReporter implements Reporter {
  private facts: RunFacts = { out: path.resolve('reports/out'), seed: 0, namespace: '', target: '' }
  private readonly findings: Finding[] = []
  private readonly trials: Trial[] = []
  /** Tests that are tied to no rule: the suite's own. */
  private readonly own = { passed: 0, failed: 0, skipped: 0 }
  private readonly errors: string[] = []
  private readonly position = { done: 0, total: 0, failures: 0 }

  printsToStdio(): boolean {
    return true
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.facts = { ...this.facts, ...(config.metadata as Partial<RunFacts>) }
    mkdirSync(this.facts.out, { recursive: true })
    writeFileSync(this.file('findings.ndjson'), '')
    this.position.total = suite.allTests().length
    // The command line that started this run has gone: so does the run.
    process.once('disconnect', () => {
      process.kill(process.pid, 'SIGINT')
      setTimeout(() => process.exit(130), 5_000).unref()
    })
    process.channel?.unref()
    const { seed, namespace, target } = this.facts
    this.say(
      `${suite.allTests().length} checks, ${config.workers} workers, seed ${seed}, namespace ${namespace}, target ${target}`,
    )
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.record(test, result)
    this.position.done += 1
    // Read by the command line, which shows it (`cli/playwright.ts`).
    process.send?.(this.position)
  }

  private record(test: TestCase, result: TestResult): void {
    // In mutate mode, what is left out is a further check of a mutant that is dead already, or says why.
    const unsaid = note(result, test, 'finding') === undefined
    if (this.facts.mutants && result.status === 'skipped' && unsaid) return
    const rule = note(result, test, 'rule')
    if (rule === undefined) this.ownTest(test, result)
    else this.check(test, result, rule)
  }

  onError(error: TestError): void {
    this.errors.push(messageOf(error))
    this.say(messageOf(error))
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    const { seed, namespace } = this.facts
    const totals = totalsOf(this.findings)
    const exit = this.errors.length > 0 ? 3 : exitCodeOf(totals)
    writeFileSync(
      this.file('totals.json'),
      `${JSON.stringify({ seed, namespace, status: result.status, totals, exit, errors: this.errors }, undefined, 2)}\n`,
    )
    if (this.facts.mutants) this.endOfMutation(this.facts.mutants)
    else if (this.findings.length > 0) this.say(totalsLine(this.findings))
    const { passed, failed, skipped } = this.own
    if (passed + failed + skipped > 0)
      this.say(`own tests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
    this.say(`seed ${seed}, namespace ${namespace}`)
    // To Playwright judged failures are expected ones (suites/support/judging.ts): the end of the run is told here.
    const bad = this.facts.mutants === undefined && this.findings.length > 0 && exit !== 0
    return { status: bad && result.status === 'passed' ? 'failed' : result.status }
  }

  private check(test: TestCase, result: TestResult, rule: string): void {
    const judged = note(result, test, 'finding')
    if (judged === undefined) {
      const mutant = note(result, test, 'mutant')
      this.add(unjudged(test, result, rule, note(result, test, 'variant')), 'broken', mutant)
      return
    }
    const { finding, outcome, mutant } = JSON.parse(judged) as FindingNote
    const exchanges = exchangesOf(result)
    this.add(exchanges === undefined ? finding : { ...finding, exchanges }, outcome, mutant)
  }

  private add(finding: Finding, outcome: Outcome, mutant: string | undefined): void {
    this.findings.push(finding)
    if (mutant === undefined && isBad(finding.verdict)) this.position.failures += 1
    appendFileSync(this.file('findings.ndjson'), `${JSON.stringify(finding)}\n`)
    if (mutant !== undefined) {
      const { rule, reason, ms } = finding
      this.trials.push({ mutant, rule, outcome, reason, ms })
      if (outcome === 'broken' || outcome === 'inconclusive')
        this.say(`${mutant}: ${explain(finding, undefined)}`)
    } else if (isBad(finding.verdict) || finding.verdict === 'warn') {
      this.say(`${explain(finding, undefined)}\n`)
    }
  }

  private ownTest(test: TestCase, result: TestResult): void {
    if (result.status === 'skipped') {
      this.own.skipped += 1
      this.say(`skipped ${test.title}: ${note(result, test, 'skip') ?? 'no reason given'}`)
    } else if (test.outcome() === 'expected' || test.outcome() === 'flaky') this.own.passed += 1
    else {
      this.own.failed += 1
      const { file, line } = test.location
      this.say(
        `FAILED ${test.title} (${path.relative(process.cwd(), file)}:${line})\n${result.errors.map(messageOf).join('\n')}\n`,
      )
    }
  }

  private endOfMutation(mutants: NonNullable<RunFacts['mutants']>): void {
    const matrix = killMatrix(mutants, this.trials)
    writeFileSync(this.file('mutants.json'), `${JSON.stringify(matrix, undefined, 2)}\n`)
    for (const { id, breaks, killed, notApplicable } of matrix.mutants)
      if (notApplicable !== undefined) this.say(`not applicable: ${id} (${notApplicable})`)
      else if (!killed) this.say(`survived: ${id} (breaks ${breaks.join(', ')})`)
    this.say(
      `${matrix.killed} mutants killed, ${matrix.survived} survived, ${matrix.notApplicable} not applicable`,
    )
  }

  private file(name: string): string {
    return path.join(this.facts.out, name)
  }

  private say(text: string): void {
    process.stdout.write(`${text}\n`)
  }
}
