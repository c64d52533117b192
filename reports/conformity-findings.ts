import type { Finding, RecordedExchange, Verdict } from './finding.ts'

/** Faults that checks met in answers, as the fixtures leave them. */
export interface ConformityNote {
  readonly rule: string
  readonly operation: string
  readonly level: string
  readonly verdict: Verdict
  readonly answers: number
  readonly faults: readonly string[]
  readonly replay: string
  readonly known?: string
  readonly exchange: RecordedExchange
}

interface Collected {
  readonly first: ConformityNote
  answers: number
  checks: number
  readonly faults: Set<string>
}

const maxFaults = 8

const findingOf = ({ first, answers, checks, faults }: Collected): Finding => {
  const { rule, operation, level, verdict, replay, known, exchange } = first
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
  return {
    rule,
    check: `${level} ${rule} / answers of ${operation}`,
    variant: `answers of ${operation}`,
    verdict,
    ms: 0,
    reason:
      known === undefined
        ? `${count(answers, 'answer')} of ${operation} in ${count(checks, 'check')} did not conform`
        : `known: ${known}`,
    expected: `answers of ${operation} that conform to the contract`,
    actual: [...faults].slice(0, maxFaults).join('; '),
    replay,
    exchanges: [exchange],
  }
}

/** Faults of answers over a whole run: one finding for each rule and operation, however many checks met them. */
export interface ConformityFindings {
  /** Adds what one check met; gives the findings that are new. */
  add(notes: readonly ConformityNote[]): readonly Finding[]
  all(): readonly Finding[]
}

export const createConformityFindings = (): ConformityFindings => {
  const collected = new Map<string, Collected>()
  return {
    add: (notes) =>
      notes.flatMap((note) => {
        const key = `${note.rule} ${note.operation}`
        const before = collected.get(key)
        const entry = before ?? { first: note, answers: 0, checks: 0, faults: new Set() }
        entry.answers += note.answers
        entry.checks += 1
        for (const fault of note.faults) entry.faults.add(fault)
        collected.set(key, entry)
        return before === undefined ? [findingOf(entry)] : []
      }),
    all: () => [...collected.values()].map(findingOf),
  }
}
