import type { Behaviour, TlsPair } from './proxy.ts'

export type RunVerdict =
  | 'conformant'
  | 'not conformant'
  | 'no verdict'
  | 'incomplete'
  | 'not started'

/** What can be wrong with a target, and what `assay check` has to make of it. */

export interface Fault {
  readonly name: string
  /** Made anew for each run: some faults count calls. */
  readonly behaviour: () => Behaviour
  /** Exit codes that are right. */
  readonly exits: readonly number[]
  /** The verdicts that are right; `not started` where the target is refused before the first check. */
  readonly verdicts: readonly RunVerdict[]
  /** Rules that may fail; no other one may. */
  readonly fails?: RegExp
  /** The one cause that findings are grouped by. */
  readonly cause?: string
  /** Differences of the profile. */
  readonly profile?: Readonly<Record<string, unknown>>
  /** Maximum number of calls that the target may see. */
  readonly maxCalls?: number
  /** The rules that are checked, if not the usual ones. */
  readonly selectors?: readonly string[]
  /** The TLS certificate and key of the target; the profile trusts the certificate. */
  readonly tls?: () => TlsPair
}

/** Timeout of a call for the slow faults: the bounds are those of every run, only shorter. */
export const impatient = { timeoutMs: 1_500 }

/** Rules of every answer. */
export const transport = /^transport\./
