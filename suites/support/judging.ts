import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from '@playwright/test'
import type { TestInfo } from '@playwright/test'
import { capabilities } from '../../contract/types.ts'
import { harOf } from '../../lib/node/har.ts'
import { recorded } from '../../lib/node/record.ts'
import { opensContexts } from '../../lib/node/target.ts'
import type { Outcome, OutcomeKind } from '../../lib/outcome.ts'
import { redactText } from '../../lib/redact.ts'
import { knownFailure } from './baseline.ts'
import { faultsOf } from './conformity.ts'
import { conformingOf, conformityOf, noteConformity } from './conformity-notes.ts'
import { likelyMistake } from './likely-cause.ts'
import { startHabits } from './habits.ts'
import { createLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import { leftAfter } from './left-after.ts'
import type { LeftThing } from './left-behind.ts'
import { concludeMutant, prepareMutant } from './mutation.ts'
import { startOwnWork } from './own-work.ts'
import { hasAsserted } from './passing.ts'
import { takeRefusals } from './refusals-seen.ts'
import { replayOf } from './replay.ts'
import { startClaiming } from './room.ts'
import { scheduleOf } from './schedule.ts'
import { absenceOf, historyOf, noteOf, notes, rowOf, subjectOf } from './rule.ts'
import type { Subject } from './rule.ts'
import { runOptions } from './run-options.ts'
import { shownBy } from './shown.ts'
import { afterAttack } from './survival.ts'
import { verdictOn } from './target.ts'
import type { Target } from './target.ts'
import { watchErrors } from './thrown.ts'
import { afterServerError } from './server-errors.ts'
import { afterTooLong } from './unended.ts'
import { outcomeOfTimeout, startWaiting } from './waiting.ts'

interface Judged {
  readonly target: Target
  readonly info: TestInfo
  readonly subject: Subject
  readonly ledger?: Ledger
  readonly left?: readonly LeftThing[]
  /** File of its exchanges, below the directory of the run. */
  readonly har?: string | undefined
}

const write = ({ info, target, subject, ledger, left = [], har }: Judged, outcome: Outcome) => {
  const row = rowOf(subject.rule, subject.variant)
  const known = knownFailure(subject.rule, subject.variant)
  const passed = outcome.kind === 'held'
  // In quarantine a check may fail or pass; without an end date it must still fail.
  const stale = known !== undefined && known.until === undefined && passed
  const verdict = verdictOn(target, outcome.kind, row, {
    strict: runOptions.strict,
    known: known !== undefined && (stale || !passed),
  })
  const history = historyOf(info.annotations)
  const { reason, expected, actual, cause, fault, likely, needs = [] } = outcome
  const callsOfOne = ledger?.callsOfOne()
  const { contexts = 0, spareContexts = 0 } = ledger ?? {}
  const finding = {
    rule: subject.rule,
    check: info.title,
    ...(subject.variant === undefined ? {} : { variant: subject.variant }),
    verdict,
    ms: Math.round(info.duration),
    ...(ledger === undefined ? {} : { calls: ledger.calls }),
    ...(callsOfOne === undefined ? {} : { callsOfOne }),
    ...(contexts < 2 ? {} : { contexts }),
    ...(spareContexts === 0 ? {} : { spareContexts }),
    ...(left.length === 0 ? {} : { left }),
    ...(har === undefined ? {} : { har }),
    ...(reason === undefined ? {} : { reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
    ...(cause === undefined ? {} : { cause }),
    ...(fault === undefined ? {} : { fault }),
    ...(likely === undefined ? {} : { likely }),
    ...(needs.length === 0 ? {} : { needs }),
    ...(verdict === 'known' ? { reason: `known: ${known?.reason}` } : {}),
    ...(stale
      ? {
          reason: `the baseline lists this as a known failure (${known.reason}), and it passed: remove the entry`,
        }
      : {}),
    ...(history === undefined || verdict === 'pass' ? {} : { steps: history.steps }),
    ...(verdict === 'pass' ? {} : { replay: replayOf(subject, history?.sequence) }),
  }
  const note = {
    finding,
    outcome: outcome.kind,
    ...(hasAsserted(info) ? { asserted: true } : {}),
    ...(outcome.unreachable === undefined ? {} : { unreachable: outcome.unreachable }),
    ...(subject.mutant ? { mutant: subject.mutant } : {}),
  }
  info.annotations.push({ type: notes.finding, description: JSON.stringify(note) })
  return verdict
}

const skip = (judged: Judged, outcome: Outcome & { readonly reason: string }): void => {
  write(judged, outcome)
  test.skip(true, outcome.reason)
}

/** Whether checks work in contexts that they cannot have for themselves. */
const shared = ({ profile }: Target): boolean => !opensContexts(profile)

/** Other habits cost further calls, which a target with narrow limits has no room for. */
const habitsFrom = (target: Target, subject: Subject | undefined): readonly string[] =>
  subject === undefined || !target.has('bulk')
    ? []
    : [String(runOptions.seed), subject.rule, subject.variant ?? '']

/** Before a check: does the target have what the rule needs, does its dialect have the rule at all? */
export const prepareCheck = async (target: Target, info: TestInfo): Promise<Ledger> => {
  const ledger = createLedger(target.dialect, watchErrors(info))
  const subject = subjectOf(info.annotations)
  takeRefusals()
  const planned = subject && scheduleOf(subject)
  startWaiting(info, planned)
  startClaiming(planned?.claims ?? [])
  startOwnWork(shared(target))
  startHabits(...habitsFrom(target, subject))
  if (subject === undefined) return ledger
  const absent = absenceOf(target.dialect, subject)
  if (absent !== undefined)
    skip({ info, target, subject }, { kind: 'not-applicable', reason: absent })
  const missing = (rowOf(subject.rule, subject.variant).needs ?? []).filter(
    (need) => !target.has(need),
  )
  if (missing.length > 0) {
    const named = missing.map((need) => `${need} (${capabilities[need]})`).join(', ')
    const reason = `the target does not offer: ${named}`
    skip({ info, target, subject }, { kind: 'not-verifiable', reason, needs: missing })
  }
  await prepareMutant(target, subject)
  return ledger
}

/** A check that met a 5xx gets it as its cause: no contract allows one, and many checks may have met the same one. */
const withServerError = (outcome: Outcome, { exchanges }: Ledger, { dialect }: Target): Outcome => {
  const { kind, unreachable, status = 500 } = outcome
  const concerned = unreachable === undefined && status >= 500
  const failing = exchanges.find((exchange) => exchange.status >= 500)
  if (failing === undefined || !concerned || !['violated', 'inconclusive'].includes(kind))
    return outcome
  const [fault] = faultsOf(failing, dialect)
  return fault === undefined ? outcome : { ...outcome, cause: fault.cause, fault: 'server error' }
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

const withLikelyCause = (outcome: Outcome, { exchanges }: Ledger): Outcome => {
  const { kind, expected = '', actual = '' } = outcome
  if (kind !== 'violated' && kind !== 'inconclusive') return outcome
  const mistake = likelyMistake({ expected, actual, exchanges })
  return mistake === undefined ? outcome : { ...outcome, likely: mistake.sentence }
}

interface Ended extends Judged {
  readonly ledger: Ledger
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
      // An error of the check after an answer that breaks the contract is not a fault of the tool.
      if (outcome.kind === 'broken' && unfit !== undefined)
        return {
          kind: 'inconclusive',
          reason: `${unfit}; then: ${outcome.reason ?? ''}`,
          cause: unfit,
          fault: 'shape',
        }
      const judged = afterServerError(subject, ledger.exchanges, outcome)
      const caused = withServerError(judged, ledger, target)
      return afterAttack(target, subject, ledger, afterTooLong(target, subject, caused))
    }),
  )
  for (const kind of decisive) {
    const first = outcomes.find((outcome) => outcome.kind === kind)
    if (first !== undefined) return withLikelyCause(first, ledger)
  }
  return held(info)
}

/** Writes all exchanges of a check as a HAR file. */
const keepHar = ({ exchanges }: Ledger, { rule, variant }: Subject, info: TestInfo): string => {
  const name = [rule, variant ?? '']
    .filter(Boolean)
    .join(' ')
    .replaceAll(/[^\w.-]+/g, '-')
  const file = path.join('har', `${name}.har`)
  const whole = path.join(runOptions.out, file)
  mkdirSync(path.dirname(whole), { recursive: true })
  writeFileSync(whole, harOf(exchanges, info.title))
  return file
}

/** Exchanges that a finding shows: the last ones led to it. */
const maxExchanges = 40

/**
 * After a check: records what it found. The finding says whether that is good or bad. A judged failure is reported to
 * Playwright as expected: after an unexpected one it would start a new worker, and with it a new reference. The
 * reporter makes the run fail if a finding is bad.
 */
export const judgeCheck = async (target: Target, ledger: Ledger, info: TestInfo): Promise<void> => {
  const subject = subjectOf(info.annotations)
  // What was interrupted reports nothing, and so counts as not run.
  if (subject !== undefined && info.status !== 'interrupted')
    await report(target, ledger, info, subject)
  if (target.embedded && target.management?.touched === true) await target.management.reset()
  else {
    await target.management?.restoreLimits()
    await target.management?.restoreDelays()
    await target.management?.restoreSizes()
  }
}

/** Leaves what a check showed of the contract for the reporter; of a service with a defect that says nothing. */
const noteShown = (
  info: TestInfo,
  { exchanges }: Ledger,
  { dialect }: Target,
  { mutant }: Subject,
): void => {
  const refusals = takeRefusals()
  if (mutant !== undefined) return
  const shown = shownBy(info, exchanges, refusals, dialect)
  info.annotations.push({ type: notes.shown, description: JSON.stringify(shown) })
}

const report = async (
  target: Target,
  ledger: Ledger,
  info: TestInfo,
  subject: Subject,
): Promise<void> => {
  // A target that runs on keeps what was created on it.
  const leaves = target.management === undefined && ledger.exchanges.length > 0
  if (info.status === 'skipped') {
    if (subject.mutant !== undefined) return
    const reason = noteOf(info.annotations, 'skip') ?? 'the check was skipped'
    const skipped: Outcome = { kind: 'not-verifiable', reason }
    const left = leaves ? await leftAfter(target, ledger, skipped) : []
    write({ info, target, subject, ledger, left }, skipped)
    return
  }
  const faults = conformityOf(ledger.exchanges, target)
  noteConformity(info, [...faults, ...conformingOf(ledger.exchanges, target)])
  noteShown(info, ledger, target, subject)
  const outcome = await outcomeOfCheck({ target, info, ledger, subject, unfit: faults[0]?.cause })
  const left = leaves ? await leftAfter(target, ledger, outcome) : []
  const har = runOptions.har ? keepHar(ledger, subject, info) : undefined
  const verdict = write({ info, target, subject, ledger, left, har }, outcome)
  await concludeMutant(target, subject, { violated: outcome.kind === 'violated', faults })
  if (verdict !== 'pass' || runOptions.verbose)
    await info.attach('exchanges', {
      body: JSON.stringify(ledger.exchanges.slice(-maxExchanges).map(recorded)),
      contentType: 'application/json',
    })
  // A check that ran out of time may still be at work: its worker ends with it.
  if (info.status === 'failed') info.expectedStatus = 'failed'
}
