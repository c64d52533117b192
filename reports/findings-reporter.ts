import path from 'node:path'
import process from 'node:process'
import { makeDirectory } from '../lib/node/make-directory.ts'
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter'
import type { OutcomeKind } from '../lib/outcome.ts'
import { conclude, isBad } from '../lib/verdict.ts'
import { withAssertion } from './assertions.ts'
import type { Held } from './assertions.ts'
import { createConformityFindings, hasFaults } from './conformity-findings.ts'
import type { ConformityNote } from './conformity-findings.ts'
import { explain } from './console.ts'
import { totalsLine, totalsOf } from './finding.ts'
import type { Finding } from './finding.ts'
import { killMatrix } from './kill-matrix.ts'
import type { Trial } from './kill-matrix.ts'
import { createLostChecks, maxLost } from './lost-checks.ts'
import type { EndedCheck } from './lost-checks.ts'
import { stopRun, writeRunFile } from './run-file.ts'
import { endFile, findingsFile, notRunOf, planFile, skippedFile } from './plan.ts'
import type { PlannedCheck } from './plan.ts'
import { createShownRecord, shownFile } from './shown-record.ts'
import type { ShownByCheck } from './shown-record.ts'
import { exchangesOf, messageOf, note, placed, plannedOf, unjudged } from './test-results.ts'

/**
 * Turns what Playwright reports into findings. The fixtures, which know the target, have assessed each check and left
 * the finding in an annotation; what ended before they could (a crash, a timeout of a fixture) is `broken` here.
 * Writes, into the output directory of the run: `plan.json` before the first check, `findings.ndjson`, line by line as
 * checks end, `coverage.json`, `end.json`, and in mutate mode `trials.ndjson`.
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

interface FindingNote extends Held {
  readonly mutant?: string
  /** No answer came. */
  readonly unreachable?: string
}

export default class FindingsReporter implements Reporter {
  private facts: RunFacts = { out: path.resolve('reports/out'), seed: 0, namespace: '', target: '' }
  private planned: readonly PlannedCheck[] = []
  private readonly findings: Finding[] = []
  private readonly left: PlannedCheck[] = []
  private readonly trials: Trial[] = []
  private readonly conformity = createConformityFindings()
  private readonly shown = createShownRecord()
  /** Tests that are tied to no rule: the suite's own. */
  private readonly own = { passed: 0, failed: 0, skipped: 0 }
  private readonly errors: string[] = []
  private readonly lost = createLostChecks()
  private readonly position = { done: 0, total: 0, failures: 0 }

  printsToStdio(): boolean {
    return true
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.facts = { ...this.facts, ...(config.metadata as Partial<RunFacts>) }
    const { out, seed, namespace, target } = this.facts
    makeDirectory(out)
    this.planned = suite.allTests().flatMap((test) => plannedOf(test) ?? [])
    writeRunFile(findingsFile(out), '')
    writeRunFile(planFile(out), `${JSON.stringify({ planned: this.planned }, undefined, 1)}\n`)
    this.position.total = suite.allTests().length
    // The command line that started this run has exited, so the run ends too.
    process.once('disconnect', stopRun)
    process.channel?.unref()
    this.say(
      `${suite.allTests().length} checks, ${config.workers} workers, seed ${seed}, namespace ${namespace}, target ${target}`,
    )
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const planned = plannedOf(test)
    if (planned === undefined) this.ownTest(test, result)
    else this.check(planned, test, result)
    this.position.done += 1
    // Read by the command line, which shows it (`cli/playwright.ts`).
    process.send?.(this.position)
  }

  /** Output of the suite's own tests is printed; output of checks is in their findings. */
  onStdOut(chunk: string | Buffer, test?: TestCase): void {
    if (test !== undefined && plannedOf(test) === undefined) process.stdout.write(chunk)
  }

  onError(error: TestError): void {
    this.errors.push(messageOf(error))
    this.say(messageOf(error))
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult['status'] }> {
    const { out, seed, namespace, mutants } = this.facts
    // Faults of answers are counted to the end of the run.
    const checked = this.findings.filter((finding) => !this.isConformity(finding))
    const stale = result.status === 'interrupted' ? [] : this.conformity.stale()
    for (const finding of stale) this.say(`${explain(finding, undefined)}\n`)
    const findings = [...checked, ...this.conformity.all(), ...stale]
    writeRunFile(findingsFile(out), findings.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const notRun = notRunOf(this.planned, [...findings, ...this.left])
    const { exit, verdict } = conclude(totalsOf(findings), { notRun: notRun.length })
    writeRunFile(shownFile(out), `${JSON.stringify(this.shown.all())}\n`)
    writeRunFile(
      endFile(out),
      `${JSON.stringify({ status: result.status, errors: this.errors }, undefined, 2)}\n`,
    )
    if (mutants) this.endOfMutation(mutants, notRun)
    else if (this.planned.length > 0)
      this.say(
        `${totalsLine(findings)}${notRun.length === 0 ? '' : `, ${notRun.length} not run: ${verdict}`}`,
      )
    const { passed, failed, skipped } = this.own
    if (passed + failed + skipped > 0)
      this.say(`own tests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
    this.say(`seed ${seed}, namespace ${namespace}`)
    // To Playwright, assessed failures are expected (suites/support/harness/judging.ts): the status of the run is set here.
    const bad = mutants === undefined && this.planned.length > 0 && exit !== 0
    return { status: bad && result.status === 'passed' ? 'failed' : result.status }
  }

  private readonly conformityChecks = new Set<string>()

  private isConformity({ check }: Finding): boolean {
    return this.conformityChecks.has(check)
  }

  private check(planned: PlannedCheck, test: TestCase, result: TestResult): void {
    const judged = note(result, test, 'finding')
    if (judged !== undefined) {
      const noted = JSON.parse(judged) as FindingNote
      const { finding, outcome } = withAssertion(noted, result)
      const exchanges = exchangesOf(result)
      this.conform(planned, note(result, test, 'conformity'))
      const shown = note(result, test, 'shown')
      if (shown !== undefined) this.shown.add(planned.check, JSON.parse(shown) as ShownByCheck)
      const whole = exchanges === undefined ? finding : { ...finding, exchanges }
      this.add(placed(whole, result), outcome, planned)
      this.stopWhenLost({ outcome, unreachable: noted.unreachable }, finding)
    } else if (result.status === 'skipped') {
      // In mutate mode, a further check of a mutant that is dead already.
      this.left.push(planned)
      writeRunFile(skippedFile(this.facts.out), `${JSON.stringify(planned)}\n`, 'a')
    } else if (result.status !== 'interrupted') {
      const finding = unjudged(planned, result)
      this.add(placed(finding, result), 'broken', planned)
      this.stopWhenLost({ outcome: 'broken' }, finding)
    }
  }

  /** Ends a run whose target does not answer any more: everything verified so far stays. */
  private stopWhenLost(ended: EndedCheck, { reason }: Finding): void {
    if (!this.lost.after(ended) || this.facts.mutants !== undefined) return
    this.errors.push(`stopped after ${maxLost} checks in a row without an answer: ${reason ?? ''}`)
    process.kill(process.pid, 'SIGINT')
  }

  /** Faults of answers: findings of the rules that own them, and in mutate mode what these rules saw. */
  private conform({ mutant, check, rule: own }: PlannedCheck, noted: string | undefined): void {
    if (noted === undefined) return
    const notes = JSON.parse(noted) as readonly ConformityNote[]
    if (mutant !== undefined) {
      const title = check.replace(` against ${mutant}`, '')
      for (const { rule, faults } of notes.filter(hasFaults)) {
        // A check that exists to look at answers has noticed it; any other check only came across it.
        const noticed = rule === own ? { check: title } : { during: title }
        this.try({ mutant, rule, ...noticed, outcome: 'violated', reason: faults[0], ms: 0 })
      }
      return
    }
    for (const finding of this.conformity.add(notes)) {
      this.conformityChecks.add(finding.check)
      this.keep(finding)
    }
  }

  private keep(finding: Finding): void {
    this.findings.push(finding)
    if (isBad(finding.verdict)) this.position.failures += 1
    writeRunFile(findingsFile(this.facts.out), `${JSON.stringify(finding)}\n`, 'a')
    if (isBad(finding.verdict) || finding.verdict === 'warn')
      this.say(`${explain(finding, undefined)}\n`)
  }

  private try(trial: Trial): void {
    this.trials.push(trial)
    writeRunFile(this.file('trials.ndjson'), `${JSON.stringify(trial)}\n`, 'a')
  }

  private add(finding: Finding, outcome: OutcomeKind, { mutant }: PlannedCheck): void {
    if (mutant === undefined) {
      this.keep(finding)
      return
    }
    this.findings.push(finding)
    writeRunFile(findingsFile(this.facts.out), `${JSON.stringify(finding)}\n`, 'a')
    const { rule, reason, ms } = finding
    const check = finding.check.replace(` against ${mutant}`, '')
    this.try({ mutant, rule, check, outcome, reason, ms })
    if (outcome === 'broken' || outcome === 'inconclusive')
      this.say(`${mutant}: ${explain(finding, undefined)}`)
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

  private endOfMutation(
    mutants: NonNullable<RunFacts['mutants']>,
    notRun: readonly PlannedCheck[],
  ): void {
    const unfinished = new Set(notRun.flatMap(({ mutant }) => mutant ?? []))
    const matrix = killMatrix(mutants, this.trials, unfinished)
    for (const { id, breaks, killed, notRun: left, notApplicable } of matrix.mutants)
      if (notApplicable !== undefined) this.say(`not applicable: ${id} (${notApplicable})`)
      else if (left === true) this.say(`not run: ${id}`)
      else if (!killed) this.say(`survived: ${id} (breaks ${breaks.join(', ')})`)
    const { killed, survived, notApplicable, notRun: unknown } = matrix
    this.say(
      `${killed} mutants killed, ${survived} survived, ${notApplicable} not applicable, ${unknown} not run`,
    )
  }

  private file(name: string): string {
    return path.join(this.facts.out, name)
  }

  private say(text: string): void {
    process.stdout.write(`${text}\n`)
  }
}
