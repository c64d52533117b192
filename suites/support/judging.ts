import { test } from '@playwright/test'
import type { TestInfo } from '@playwright/test'
import type { RuleForm } from '../../contract/dialect.ts'
import { environments } from '../../contract/environments.ts'
import { capabilities } from '../../contract/types.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { recorded } from '../../lib/node/record.ts'
import { redactText } from '../../lib/redact.ts'
import { knownFailure } from './baseline.ts'
import { faultsOf } from './conformity.ts'
import { replayOf } from './replay.ts'
import { historyOf, noteOf, notes, rowOf, subjectOf } from './rule.ts'
import type { Subject } from './rule.ts'
import { runOptions } from './run-options.ts'
import { outcomeOfError, plain, verdictOn } from './target.ts'
import type { Target } from './target.ts'

type Outcome = ReturnType<typeof outcomeOfError>

/** What one check did. */
export interface Ledger {
  readonly exchanges: Exchange[]
  /** Calls by the thousand are not kept. */
  quiet: boolean
  readonly record: (exchange: Exchange) => void
}

/** Mutants that a check of this worker has killed already: further checks of them prove nothing new. */
const killed = new Set<string>()

const write = (
  info: TestInfo,
  target: Target,
  subject: Subject,
  outcome: Outcome,
  said: { readonly expected?: string; readonly actual?: string; readonly reason?: string },
) => {
  const row = rowOf(subject.rule, subject.variant)
  const known = knownFailure(subject.rule, subject.variant)
  const verdict = verdictOn(target, outcome, row, {
    strict: runOptions.strict,
    known: known !== undefined,
  })
  const stale = known !== undefined && outcome === 'held'
  const history = historyOf(info.annotations)
  const finding = {
    rule: subject.rule,
    check: info.title,
    ...(subject.variant === undefined ? {} : { variant: subject.variant }),
    verdict,
    ms: Math.round(info.duration),
    ...said,
    ...(verdict === 'known' ? { reason: `known: ${known}` } : {}),
    ...(stale
      ? {
          reason: `the baseline lists this as a known failure (${known}), and it passed: remove the entry`,
        }
      : {}),
    ...(history === undefined || verdict === 'pass' ? {} : { steps: history.steps }),
    ...(verdict === 'pass' ? {} : { replay: replayOf(subject, history?.sequence) }),
  }
  const note = { finding, outcome, ...(subject.mutant ? { mutant: subject.mutant } : {}) }
  info.annotations.push({ type: notes.finding, description: JSON.stringify(note) })
  return verdict
}

const skip = (
  info: TestInfo,
  target: Target,
  subject: Subject,
  outcome: 'unmet' | 'absent',
  reason: string,
): void => {
  write(info, target, subject, outcome, { reason })
  test.skip(true, reason)
}

const concerns = ({ variants }: RuleForm, { variant = '' }: Subject): boolean =>
  variants?.some((name) => variant === name || variant.startsWith(`${name}, `)) ?? true

/** Whether checks work in contexts that they cannot have for themselves. */
const shared = ({ management, environment }: Target): boolean =>
  management === undefined && !environments[environment].selfSigned

/** Before a check: does the target have what the rule needs, does its dialect have the rule at all? */
export const prepareCheck = async (target: Target, info: TestInfo): Promise<Ledger> => {
  const exchanges: Exchange[] = []
  const ledger: Ledger = {
    exchanges,
    quiet: false,
    record: (exchange) => {
      if (!ledger.quiet || exchange.status >= 500) exchanges.push(exchange)
    },
  }
  const subject = subjectOf(info.annotations)
  if (subject === undefined) return ledger
  const form = target.dialect.rules[subject.rule]
  if (form !== undefined && concerns(form, subject))
    skip(info, target, subject, 'absent', 'absent' in form ? form.absent : form.replaced)
  const missing = (rowOf(subject.rule, subject.variant).needs ?? []).filter(
    (need) => !target.has(need),
  )
  if (missing.length > 0) {
    const needs = missing.map((need) => `${need} (${capabilities[need]})`).join(', ')
    skip(info, target, subject, 'unmet', `the target does not offer: ${needs}`)
  }
  if (subject.mutant !== undefined) {
    test.skip(killed.has(subject.mutant), `${subject.mutant} is dead already`)
    await target.management?.install(subject.mutant)
  }
  return ledger
}

const line = (text: string, name: RegExp): string | undefined =>
  name.exec(text)?.[1]?.trim().slice(0, 500)

/** One side of a difference as Playwright prints it. */
const side = (text: string, sign: '-' | '+'): string | undefined => {
  const lines = text
    .split('\n')
    .filter((row) => row.startsWith(`${sign} `) && !/^[-+] (Expected|Received)\b/.test(row))
    .map((row) => row.slice(2).trim())
  return lines.length === 0 ? undefined : lines.join(' ').slice(0, 500)
}

/** Expected and actual, as matchers of ours and of Playwright write them. */
const readError = (message: string) => {
  const text = redactText(plain(message))
  const first = text.split('\n', 1)[0]?.replace(/^(?:Error|NotOffered): /, '') ?? ''
  const expected = line(text, /^\s*Expected[^:\n]*:\s*(.+)$/m) ?? side(text, '-')
  const actual = line(text, /^\s*Received[^:\n]*:\s*(.+)$/m) ?? side(text, '+')
  return {
    reason: first.slice(0, 500),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  }
}

const observed = ({ annotations }: TestInfo): { readonly actual?: string } => {
  const seen = noteOf(annotations, notes.seen)
  return seen === undefined ? {} : { actual: redactText(seen) }
}

/** Exchanges that a finding shows: the last ones led to it. */
const mostKept = 40

const worst: readonly Outcome[] = [
  'broken',
  'inconclusive',
  'contradicted',
  'unmet',
  'absent',
  'held',
]

/**
 * After a check: what it found. The finding says whether that is good or bad; to Playwright a judged failure is an
 * expected one, because it would start a new worker, and a new reference, after each that is not. The reporter ends
 * the run as failed when a finding is bad.
 */
export const judgeCheck = async (target: Target, ledger: Ledger, info: TestInfo): Promise<void> => {
  if (target.embedded && target.management?.touched === true) await target.management.reset()
  else await target.management?.restoreLimits()
  const subject = subjectOf(info.annotations)
  if (subject === undefined) return
  if (info.status === 'skipped') {
    if (subject.mutant === undefined)
      write(info, target, subject, 'unmet', {
        reason: noteOf(info.annotations, 'skip') ?? 'the check was skipped',
      })
    return
  }
  const faults = ledger.exchanges.flatMap((exchange) => faultsOf(exchange, target.dialect))
  const messages = info.errors.map(({ message, value }) => message ?? value ?? '')
  const outcomeOn = (message: string): Outcome => {
    const seen = outcomeOfError(message)
    // Where others work in the same context, its limits may be used up: that says nothing about the service.
    const crowded = shared(target) && seen === 'inconclusive' && / got 429 from /.test(message)
    return crowded ? 'unmet' : seen
  }
  const outcomes = new Set(messages.map(outcomeOn))
  // A contradiction that was seen stays one, whatever else went wrong afterwards.
  const outcome: Outcome =
    faults.length > 0 || outcomes.has('contradicted')
      ? 'contradicted'
      : (worst.find((one) => outcomes.has(one)) ?? 'held')
  const decisive = messages.find((message) => outcomeOn(message) === outcome) ?? messages[0]
  const said =
    decisive !== undefined
      ? readError(decisive)
      : faults.length > 0
        ? {
            expected: 'answers that conform to the contract',
            actual: redactText(faults.join('; ')).slice(0, 1000),
          }
        : observed(info)
  const verdict = write(info, target, subject, outcome, said)
  if (subject.mutant !== undefined && outcome === 'contradicted') killed.add(subject.mutant)
  if (verdict !== 'pass' || runOptions.verbose)
    await info.attach('exchanges', {
      body: JSON.stringify(ledger.exchanges.slice(-mostKept).map(recorded)),
      contentType: 'application/json',
    })
  // A check that ran out of time may still be at work: its worker ends with it.
  if (info.status === 'failed') info.expectedStatus = 'failed'
}
