import { counted } from '../lib/words.ts'
import type { Finding, RecordedExchange, Verdict } from './finding.ts'

/** What checks found in responses, as the fixtures record it: faults, or none where the baseline lists some. */
export interface ConformityNote {
  readonly rule: string
  readonly operation: string
  readonly level: string
  readonly verdict: Verdict
  readonly answers: number
  readonly faults: readonly string[]
  readonly cause?: string
  readonly replay: string
  readonly known?: string
  readonly exchange: RecordedExchange
}

/** Whether answers had faults; a note without any is about an entry of the baseline. */
export const hasFaults = ({ faults }: ConformityNote): boolean => faults.length > 0

interface Collected {
  readonly first: ConformityNote
  answers: number
  checks: number
  readonly faults: Set<string>
}

const maxFaults = 8

const findingOf = ({ first, answers, checks, faults }: Collected): Finding => {
  const { rule, operation, level, verdict, replay, known, cause, exchange } = first
  return {
    rule,
    check: `${level} ${rule} / answers of ${operation}`,
    variant: `answers of ${operation}`,
    verdict,
    ms: 0,
    reason:
      known === undefined
        ? `${counted(answers, 'answer')} of ${operation} in ${counted(checks, 'check')} did not conform`
        : `known: ${known}`,
    expected: `answers of ${operation} that conform to the contract`,
    actual: [...faults].slice(0, maxFaults).join('; '),
    ...(cause === undefined ? {} : { cause }),
    fault: exchange.status >= 500 ? 'server error' : 'shape',
    replay,
    exchanges: [exchange],
  }
}

/** An entry of the baseline that hides nothing any more, and would hide the next failure. */
const staleFinding = ({ first, answers }: Collected): Finding => {
  const { rule, operation, level, replay, known } = first
  return {
    rule,
    check: `${level} ${rule} / answers of ${operation}`,
    variant: `answers of ${operation}`,
    verdict: 'fail',
    ms: 0,
    reason: `the baseline lists this as a known failure (${known}), and ${answers} answers conformed: remove the entry`,
    replay,
  }
}

/** Faults of answers over a whole run: one finding for each rule and operation, however many checks met them. */
export interface ConformityFindings {
  /** Adds what one check met; returns the findings that are new. */
  add(notes: readonly ConformityNote[]): readonly Finding[]
  all(): readonly Finding[]
  /** Entries of the baseline whose answers all conformed. */
  stale(): readonly Finding[]
}

export const createConformityFindings = (): ConformityFindings => {
  const faulty = new Map<string, Collected>()
  const clean = new Map<string, Collected>()
  return {
    add: (notes) =>
      notes.flatMap((note) => {
        const key = `${note.rule} ${note.operation}`
        const collected = hasFaults(note) ? faulty : clean
        const before = collected.get(key)
        const entry = before ?? { first: note, answers: 0, checks: 0, faults: new Set() }
        entry.answers += note.answers
        entry.checks += 1
        for (const fault of note.faults) entry.faults.add(fault)
        collected.set(key, entry)
        return before === undefined && hasFaults(note) ? [findingOf(entry)] : []
      }),
    all: () => [...faulty.values()].map(findingOf),
    stale: () =>
      [...clean].filter(([key]) => !faulty.has(key)).map(([, entry]) => staleFinding(entry)),
  }
}
