import type { FaultKind } from '../lib/outcome.ts'
import { verdicts } from '../lib/verdict.ts'
import type { Totals, Verdict } from '../lib/verdict.ts'
import { visible } from '../lib/visible.ts'

export type { Totals, Verdict } from '../lib/verdict.ts'

/**
 * What a run found: one line of `findings.ndjson` per check, and everything that is derived from the lines.
 * Every report is written from these lines and from nothing else.
 */

/** One call as it is shown to people: secrets are redacted before it gets here. */
export interface RecordedExchange {
  readonly operation?: string
  readonly curl: string
  readonly status: number
  readonly answer: string
  readonly ms: number
}

/** Something that a check created on a target. */
export interface LeftThing {
  /** For example `service token`. */
  readonly what: string
  readonly id: string
  /** It was revoked or removed at the end of the check. */
  readonly removed: boolean
}

export interface Finding {
  /** Id of the rule, as in `contract/rules`. */
  readonly rule: string
  /** Title of the check. */
  readonly check: string
  readonly variant?: string
  readonly verdict: Verdict
  readonly ms: number
  /** When the check started, ISO 8601; absent where a finding counts over several checks. */
  readonly started?: string
  /** Which of the parallel workers ran it, from 0. */
  readonly worker?: number
  /** Number of calls of the check that the rate limits count, by row of their table. */
  readonly calls?: Readonly<Record<string, number>>
  /** The same for the caller with the most calls, where there were several callers. */
  readonly callsOfOne?: Readonly<Record<string, number>>
  /** Number of contexts that it worked in, where there were several. */
  readonly contexts?: number
  /** How many of them it could have done without. */
  readonly spareContexts?: number
  readonly expected?: string
  readonly actual?: string
  readonly reason?: string
  /** The cause, as named by the code that threw; the same cause always has the same wording. */
  readonly cause?: string
  /** What probably went wrong, in a sentence, where the values and calls show it. */
  readonly likely?: string
  /** Kind of the fault, where the code that threw knew it. */
  readonly fault?: FaultKind
  /** Capabilities that the target lacks, where the check is not verifiable for want of them. */
  readonly needs?: readonly string[]
  /** The steps that led to it, where it takes a history. */
  readonly steps?: readonly string[]
  /** The command that runs this check alone, with the same seed. */
  readonly replay?: string
  readonly exchanges?: readonly RecordedExchange[]
  /** HAR file of all its exchanges, below the directory of the run. */
  readonly har?: string
  /** Further files about it, below the directory of the run: charts of load, for example. */
  readonly files?: readonly string[]
  /** What it created on the target. */
  readonly left?: readonly LeftThing[]
}

export const totalsOf = (findings: readonly Finding[]): Totals => {
  const totals = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Totals
  for (const { verdict } of findings) totals[verdict] += 1
  return totals
}

/** The totals in one line, nothing that is zero. */
export const totalsLine = (findings: readonly Finding[]): string => {
  const totals = totalsOf(findings)
  return (
    verdicts
      .filter((verdict) => totals[verdict] > 0)
      .map((verdict) => `${totals[verdict]} ${verdict}`)
      .join(', ') || 'nothing ran'
  )
}

/** Findings grouped by a key, in order of first appearance. */
export const grouped = <One>(
  findings: readonly One[],
  by: (finding: One) => string,
): Map<string, One[]> => {
  const groups = new Map<string, One[]>()
  for (const finding of findings) {
    const group = groups.get(by(finding))
    if (group) group.push(finding)
    else groups.set(by(finding), [finding])
  }
  return groups
}

/** First word of a rule's id. */
export const areaOf = (rule: string): string => rule.split('.')[0] ?? rule

/** A finding for display: characters that a terminal or browser would interpret are made visible. */
export const shownFinding = (finding: Finding): Finding =>
  JSON.parse(JSON.stringify(finding), (_key, value: unknown) =>
    typeof value === 'string' ? visible(value) : value,
  ) as Finding

/** Reads NDJSON; a line that is cut short (a run that was killed) is an error that names its number. */
export const parseFindings = (ndjson: string): Finding[] =>
  ndjson
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      try {
        return JSON.parse(line) as Finding
      } catch (cause) {
        throw new Error(`findings: line ${number} is not JSON`, { cause })
      }
    })
