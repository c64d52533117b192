import type { OutcomeKind } from '../lib/outcome.ts'

export interface MutantRow {
  readonly id: string
  readonly breaks: readonly string[]
  readonly killed: boolean
  /** Rules whose checks killed it. */
  readonly by: readonly string[]
  /** Why it is no defect in this dialect: the dialect has none of the rules that it breaks. */
  readonly notApplicable?: string
  /** Some of its checks did not report, and none that did killed it: nothing is known of it. */
  readonly notRun?: true
  readonly ms: number
}

export interface KillMatrix {
  readonly mutants: readonly MutantRow[]
  readonly killed: number
  readonly survived: number
  readonly notApplicable: number
  readonly notRun: number
  /** 4 when a mutant survived, 3 when one was not run or none was put to a check. */
  readonly exit: 0 | 3 | 4
}

/** One run of one check against one mutant. */
export interface Trial {
  readonly mutant: string
  readonly rule: string
  readonly outcome: OutcomeKind
  readonly reason?: string | undefined
  readonly ms: number
}

/** Why none of the checks of a mutant applies to the dialect. */
const lacking = (trials: readonly Trial[]): string | undefined =>
  trials.length > 0 && trials.every(({ outcome }) => outcome === 'not-applicable')
    ? [...new Set(trials.map(({ reason }) => reason ?? 'the dialect lacks it'))].join('; ')
    : undefined

/**
 * Killed: a check of a rule that the mutant breaks saw it violated. Inconclusive kills nothing. Where the dialect has none
 * of those rules, the mutant is no defect there. Where a planned check of a mutant did not report, a mutant that is not
 * killed has not survived either.
 */
export const killMatrix = (
  mutants: readonly { readonly id: string; readonly breaks: readonly string[] }[],
  trials: readonly Trial[],
  /** Mutants with planned checks that did not report. */
  unfinished: ReadonlySet<string> = new Set(),
): KillMatrix => {
  const rows = mutants.map(({ id, breaks }) => {
    const own = trials.filter(({ mutant }) => mutant === id)
    const by = [
      ...new Set(
        own
          .filter(({ outcome, rule }) => outcome === 'violated' && breaks.includes(rule))
          .map(({ rule }) => rule),
      ),
    ]
    const notApplicable = unfinished.has(id) ? undefined : lacking(own)
    return {
      id,
      breaks,
      killed: by.length > 0,
      by,
      ...(notApplicable === undefined ? {} : { notApplicable }),
      ...(unfinished.has(id) && by.length === 0 ? { notRun: true as const } : {}),
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    }
  })
  const killed = rows.filter((row) => row.killed).length
  const notApplicable = rows.filter((row) => row.notApplicable !== undefined).length
  const notRun = rows.filter((row) => row.notRun === true).length
  const survived = rows.length - killed - notApplicable - notRun
  const exit = survived > 0 ? 4 : notRun > 0 || killed === 0 ? 3 : 0
  return { mutants: rows, killed, survived, notApplicable, notRun, exit }
}
