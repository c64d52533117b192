import { test } from '@playwright/test'
import type { TestInfo } from '@playwright/test'
import type { RuleForm } from '../../contract/dialect.ts'
import { environments } from '../../contract/environments.ts'
import { capabilities } from '../../contract/types.ts'
import { recorded } from '../../lib/node/record.ts'
import type { Outcome, OutcomeKind } from '../../lib/outcome.ts'
import { redactText } from '../../lib/redact.ts'
import { knownFailure } from './baseline.ts'
import { conformingOf, conformityOf, noteConformity } from './conformity-notes.ts'
import { createLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import { concludeMutant, prepareMutant } from './mutation.ts'
import { replayOf } from './replay.ts'
import { historyOf, noteOf, notes, rowOf, subjectOf } from './rule.ts'
import type { Subject } from './rule.ts'
import { runOptions } from './run-options.ts'
import { afterAttack } from './survival.ts'
import { verdictOn } from './target.ts'
import type { Target } from './target.ts'
import { watchErrors } from './thrown.ts'
import { outcomeOfTimeout, startWaiting } from './waiting.ts'

const write = (info: TestInfo, target: Target, subject: Subject, outcome: Outcome) => {
  const row = rowOf(subject.rule, subject.variant)
  const known = knownFailure(subject.rule, subject.variant)
  const verdict = verdictOn(target, outcome.kind, row, {
    strict: runOptions.strict,
    known: known !== undefined,
  })
  const stale = known !== undefined && outcome.kind === 'held'
  const history = historyOf(info.annotations)
  const { reason, expected, actual, cause, needs = [] } = outcome
  const finding = {
    rule: subject.rule,
    check: info.title,
    ...(subject.variant === undefined ? {} : { variant: subject.variant }),
    verdict,
    ms: Math.round(info.duration),
    ...(reason === undefined ? {} : { reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
    ...(cause === undefined ? {} : { cause }),
    ...(needs.length === 0 ? {} : { needs }),
    ...(verdict === 'known' ? { reason: `known: ${known}` } : {}),
    ...(stale
      ? {
          reason: `the baseline lists this as a known failure (${known}), and it passed: remove the entry`,
        }
      : {}),
    ...(history === undefined || verdict === 'pass' ? {} : { steps: history.steps }),
    ...(verdict === 'pass' ? {} : { replay: replayOf(subject, history?.sequence) }),
  }
  const note = {
    finding,
    outcome: outcome.kind,
    ...(outcome.unreachable === undefined ? {} : { unreachable: outcome.unreachable }),
    ...(subject.mutant ? { mutant: subject.mutant } : {}),
  }
  info.annotations.push({ type: notes.finding, description: JSON.stringify(note) })
  return verdict
}

const skip = (
  info: TestInfo,
  target: Target,
  subject: Subject,
  outcome: Outcome & { readonly reason: string },
): void => {
  write(info, target, subject, outcome)
  test.skip(true, outcome.reason)
}

const concerns = ({ variants }: RuleForm, { variant = '' }: Subject): boolean =>
  variants?.some((name) => variant === name || variant.startsWith(`${name}, `)) ?? true

/** Whether checks work in contexts that they cannot have for themselves. */
const shared = ({ management, environment }: Target): boolean =>
  management === undefined && !environments[environment].selfSigned

/** Before a check: does the target have what the rule needs, does its dialect have the rule at all? */
export const prepareCheck = async (target: Target, info: TestInfo): Promise<Ledger> => {
  const ledger = createLedger(watchErrors(info))
  startWaiting()
  const subject = subjectOf(info.annotations)
  if (subject === undefined) return ledger
  const form = target.dialect.rules[subject.rule]
  if (form !== undefined && concerns(form, subject))
    skip(info, target, subject, {
      kind: 'not-applicable',
      reason: 'absent' in form ? form.absent : form.replaced,
    })
  const missing = (rowOf(subject.rule, subject.variant).needs ?? []).filter(
    (need) => !target.has(need),
  )
  if (missing.length > 0) {
    const named = missing.map((need) => `${need} (${capabilities[need]})`).join(', ')
    const reason = `the target does not offer: ${named}`
    skip(info, target, subject, { kind: 'not-verifiable', reason, needs: missing })
  }
  await prepareMutant(target, subject)
  return ledger
}

/** A contradiction that was seen stays one, whatever else went wrong afterwards. */
const decisive: readonly OutcomeKind[] = [
  'violated',
  'broken',
  'inconclusive',
  'not-verifiable',
  'not-applicable',
]

const held = (info: TestInfo): Outcome => {
  const seen = noteOf(info.annotations, notes.seen)
  return { kind: 'held', ...(seen === undefined ? {} : { actual: redactText(seen) }) }
}

interface Ended {
  readonly target: Target
  readonly info: TestInfo
  readonly ledger: Ledger
  readonly subject: Subject
  /** Some answer did not conform to the contract. */
  readonly unfit: string | undefined
}

const outcomeOfCheck = async ({
  target,
  info,
  ledger,
  subject,
  unfit,
}: Ended): Promise<Outcome> => {
  const seen = [
    ...ledger.outcomes(),
    ...(info.status === 'timedOut' ? [outcomeOfTimeout(info.timeout)] : []),
  ]
  const outcomes = await Promise.all(
    seen.map(async (outcome): Promise<Outcome> => {
      // Where others work in the same context, its limits may be used up: that says nothing about the service.
      if (shared(target) && outcome.kind === 'inconclusive' && outcome.status === 429)
        return { ...outcome, kind: 'not-verifiable' }
      // What a check does with an answer that is not what the contract promises is no fault of the tool.
      if (outcome.kind === 'broken' && unfit !== undefined)
        return {
          kind: 'inconclusive',
          reason: `${unfit}; then: ${outcome.reason ?? ''}`,
          cause: unfit,
        }
      return afterAttack(target, subject, ledger, outcome)
    }),
  )
  for (const kind of decisive) {
    const first = outcomes.find((outcome) => outcome.kind === kind)
    if (first !== undefined) return first
  }
  return held(info)
}

/** Exchanges that a finding shows: the last ones led to it. */
const maxExchanges = 40

/**
 * After a check: what it found. The finding says whether that is good or bad; to Playwright a judged failure is an
 * expected one, because it would start a new worker, and a new reference, after each that is not. The reporter ends
 * the run as failed when a finding is bad.
 */
export const judgeCheck = async (target: Target, ledger: Ledger, info: TestInfo): Promise<void> => {
  const subject = subjectOf(info.annotations)
  // What was interrupted reports nothing, and so counts as not run.
  if (subject !== undefined && info.status !== 'interrupted')
    await report(target, ledger, info, subject)
  if (target.embedded && target.management?.touched === true) await target.management.reset()
  else await target.management?.restoreLimits()
}

const report = async (
  target: Target,
  ledger: Ledger,
  info: TestInfo,
  subject: Subject,
): Promise<void> => {
  if (info.status === 'skipped') {
    if (subject.mutant === undefined)
      write(info, target, subject, {
        kind: 'not-verifiable',
        reason: noteOf(info.annotations, 'skip') ?? 'the check was skipped',
      })
    return
  }
  const faults = conformityOf(ledger.exchanges, target)
  noteConformity(info, [...faults, ...conformingOf(ledger.exchanges, target)])
  const [fault] = faults
  const unfit = fault && `an answer of ${fault.operation} does not conform (${fault.rule})`
  const outcome = await outcomeOfCheck({ target, info, ledger, subject, unfit })
  const verdict = write(info, target, subject, outcome)
  await concludeMutant(target, subject, outcome.kind === 'violated')
  if (verdict !== 'pass' || runOptions.verbose)
    await info.attach('exchanges', {
      body: JSON.stringify(ledger.exchanges.slice(-maxExchanges).map(recorded)),
      contentType: 'application/json',
    })
  // A check that ran out of time may still be at work: its worker ends with it.
  if (info.status === 'failed') info.expectedStatus = 'failed'
}
