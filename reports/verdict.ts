import type { Level } from '../contract/types.ts'
import type { Verdict } from './finding.ts'

/** How a check itself ended, before anyone asks what that means on this target. */
export type Outcome =
  /** Everything that was asserted held. */
  | 'held'
  /** An assertion did not hold, or an answer did not conform to the contract. */
  | 'contradicted'
  /** A precondition was not reached. */
  | 'inconclusive'
  /** The tool itself went wrong. */
  | 'broken'
  /** A need of the rule is not met by the target. */
  | 'unmet'
  /** The dialect has the rule not at all, or otherwise. */
  | 'absent'

export interface Circumstances {
  readonly level: Level
  /** The rule rests on an assumption that the target does not confirm. */
  readonly unconfirmed: boolean
  /** The baseline lists the rule as a known failure. */
  readonly known: boolean
  readonly strict: boolean
}

/** What an outcome means. Pure; the table is that of the interfaces page, Verdicts. */
export const judge = (outcome: Outcome, circumstances: Circumstances): Verdict => {
  const { level, unconfirmed, known, strict } = circumstances
  switch (outcome) {
    case 'inconclusive':
    case 'broken':
      return outcome
    case 'unmet':
      return 'not-verifiable'
    case 'absent':
      return 'not-applicable'
    case 'held':
      // A baseline entry that no longer fails is stale, and a stale entry hides the next failure.
      if (known) return 'fail'
      return level === 'MAY' ? 'observed' : 'pass'
    case 'contradicted':
      if (level === 'MAY' || unconfirmed) return 'observed'
      if (known) return 'known'
      return level === 'SHOULD' && !strict ? 'warn' : 'fail'
  }
}

/** Verdicts that end a run badly. */
export const isBad = (verdict: Verdict): boolean =>
  verdict === 'fail' || verdict === 'inconclusive' || verdict === 'broken'

const escape = String.fromCharCode(27)
const ansi = new RegExp(`${escape}\\[[0-9;]*m`, 'g')

/** A message as a report shows it: without terminal colours. */
export const plain = (message: string): string => message.replaceAll(ansi, '')

/**
 * What the error that ended a check says about it. An assertion of `expect` contradicts the requirement, an error by
 * the name of `Inconclusive` says that a precondition was not reached, one by the name of `OperationAbsent` that the
 * dialect lacks what the check calls; everything else is the tool's own fault.
 */
export const outcomeOfError = (message: string): Outcome => {
  const text = plain(message)
  if (/^(Error: )?Inconclusive\b/.test(text)) return 'inconclusive'
  if (/^(Error: )?NotOffered\b/.test(text)) return 'unmet'
  if (/^(Error: )?OperationAbsent\b/.test(text)) return 'absent'
  if (/^Unreachable\b|\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE)\b|fetch failed/.test(text))
    return 'inconclusive'
  if (/\bexpect(\.\w+)?\(|^(Error: )?Requirement (not|wrongly) met\b/m.test(text))
    return 'contradicted'
  return 'broken'
}

export interface MutantRow {
  readonly id: string
  readonly breaks: readonly string[]
  readonly killed: boolean
  /** Rules whose checks killed it. */
  readonly by: readonly string[]
  /** Why it is no defect in this dialect: the dialect has none of the rules that it breaks. */
  readonly notApplicable?: string
  readonly ms: number
}

export interface KillMatrix {
  readonly mutants: readonly MutantRow[]
  readonly killed: number
  readonly survived: number
  readonly notApplicable: number
  /** 4 when a mutant survived, 3 when none was put to a check. */
  readonly exit: 0 | 3 | 4
}

/** One run of one check against one mutant. */
export interface Trial {
  readonly mutant: string
  readonly rule: string
  readonly outcome: Outcome
  readonly reason?: string | undefined
  readonly ms: number
}

const apart = (trials: readonly Trial[]): string | undefined =>
  trials.length > 0 && trials.every(({ outcome }) => outcome === 'absent')
    ? [...new Set(trials.map(({ reason }) => reason ?? 'the dialect lacks it'))].join('; ')
    : undefined

/**
 * Killed: a check of a rule that the mutant breaks was contradicted. Inconclusive kills nothing. Where the dialect has
 * none of those rules, the mutant is no defect there and neither killed nor alive.
 */
export const killMatrix = (
  mutants: readonly { readonly id: string; readonly breaks: readonly string[] }[],
  trials: readonly Trial[],
): KillMatrix => {
  const rows = mutants.map(({ id, breaks }) => {
    const own = trials.filter(({ mutant }) => mutant === id)
    const by = [
      ...new Set(
        own
          .filter(({ outcome, rule }) => outcome === 'contradicted' && breaks.includes(rule))
          .map(({ rule }) => rule),
      ),
    ]
    const notApplicable = apart(own)
    return {
      id,
      breaks,
      killed: by.length > 0,
      by,
      ...(notApplicable === undefined ? {} : { notApplicable }),
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    }
  })
  const killed = rows.filter((row) => row.killed).length
  const notApplicable = rows.filter((row) => row.notApplicable !== undefined).length
  const survived = rows.length - killed - notApplicable
  const exit = survived > 0 ? 4 : killed === 0 ? 3 : 0
  return { mutants: rows, killed, survived, notApplicable, exit }
}
