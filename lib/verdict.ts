import type { Level } from '../contract/types.ts'
import type { OutcomeKind } from './outcome.ts'

/** What outcomes mean on a target, and how a run concludes. Explained in docs/guides/test-your-service.md. */

export const verdicts = [
  'pass',
  'fail',
  'warn',
  'observed',
  'known',
  'not-verifiable',
  'not-applicable',
  'inconclusive',
  'broken',
] as const
export type Verdict = (typeof verdicts)[number]

export interface Circumstances {
  readonly level: Level
  /** The rule rests on an assumption that the target does not confirm. */
  readonly unconfirmed: boolean
  /** The baseline lists the check as a known failure. */
  readonly known: boolean
  readonly strict: boolean
}

const violated = ({ level, unconfirmed, known, strict }: Circumstances): Verdict => {
  if (level === 'MAY' || unconfirmed) return 'observed'
  if (known) return 'known'
  return level === 'SHOULD' && !strict ? 'warn' : 'fail'
}

// A baseline entry whose check passes is stale, and a stale entry would hide the next failure.
const held = ({ level, known }: Circumstances): Verdict =>
  known ? 'fail' : level === 'MAY' ? 'observed' : 'pass'

const table: Readonly<Record<OutcomeKind, (circumstances: Circumstances) => Verdict>> = {
  held,
  violated,
  inconclusive: () => 'inconclusive',
  broken: () => 'broken',
  'not-verifiable': () => 'not-verifiable',
  'not-applicable': () => 'not-applicable',
}

/** The verdict that an outcome has under the circumstances of a rule and a target. */
export const verdictOf = (outcome: OutcomeKind, circumstances: Circumstances): Verdict =>
  table[outcome](circumstances)

/** Verdicts with which a run does not succeed. */
export const isBad = (verdict: Verdict): boolean =>
  verdict === 'fail' || verdict === 'inconclusive' || verdict === 'broken'

export type Totals = Record<Verdict, number>

/** The verdict of a run. */
type RunVerdict = 'conformant' | 'not conformant' | 'incomplete' | 'no verdict'

/** The conclusion of a run: its verdict in words, and the exit code with the same meaning. */
export interface Conclusion {
  readonly verdict: RunVerdict
  readonly exit: 0 | 1 | 3 | 130
}

/** Facts about a run apart from what its checks found. */
export interface RunCircumstances {
  /** Planned checks that did not report. */
  readonly notRun: number
  readonly interrupted?: boolean
  /** Fewer of the applicable checks were verified than the user asked for. */
  readonly underVerified?: boolean
}

/** How many checks reached a verdict about the target, out of those that apply to it. */
export const verifiedOf = (
  totals: Totals,
): { readonly verified: number; readonly of: number; readonly share: number } => {
  const verified = totals.pass + totals.fail + totals.warn + totals.observed + totals.known
  const of = verified + totals['not-verifiable'] + totals.inconclusive + totals.broken
  return { verified, of, share: of === 0 ? 0 : verified / of }
}

/**
 * Concludes a run from the totals of its checks and the number of planned checks that did not report. A check that did
 * not report never counts as passed.
 */
export const conclude = (
  totals: Totals,
  { notRun, interrupted = false, underVerified = false }: RunCircumstances,
): Conclusion => {
  const { verified } = verifiedOf(totals)
  const incomplete = notRun > 0 || interrupted
  const verdict = incomplete
    ? 'incomplete'
    : totals.fail > 0
      ? 'not conformant'
      : totals.inconclusive > 0 || totals.broken > 0 || verified === 0 || underVerified
        ? 'no verdict'
        : 'conformant'
  if (interrupted) return { verdict, exit: 130 }
  if (totals.fail > 0) return { verdict, exit: 1 }
  return { verdict, exit: verdict === 'conformant' ? 0 : 3 }
}
