import { isBad, verifiedOf } from '../lib/verdict.ts'
import type { Verdict } from '../lib/verdict.ts'
import { totalsOf } from './finding.ts'
import { conclusionOf, ruleCounts } from './run.ts'
import type { Run } from './run.ts'

/** What the last runs against a target came to: whether today is worse than yesterday, and which checks are flaky. */

export interface PastRun {
  readonly started: string
  readonly namespace: string
  readonly verdict: string
  /** Rules that failed. */
  readonly failed: number
  /** Checks that were verified, of those that apply. */
  readonly verified: number
  readonly of: number
}

/** The runs against one target. */
export interface History {
  /** The oldest first. */
  readonly runs: readonly PastRun[]
  /**
   * Checks that failed in one of the runs, by title: a letter for each run, `f` where it failed, `p` where it passed,
   * and `-` where it did neither.
   */
  readonly outcomes: Readonly<Record<string, string>>
}

export const noHistory: History = { runs: [], outcomes: {} }

const maxRuns = 20

const letterOf = (verdict: Verdict): string => {
  if (isBad(verdict) || verdict === 'known') return 'f'
  return verdict === 'not-verifiable' || verdict === 'not-applicable' ? '-' : 'p'
}

const pastRun = (run: Run): PastRun => {
  const { verified, of } = verifiedOf(totalsOf(run.findings))
  const { started, namespace } = run.facts
  const { verdict } = conclusionOf(run)
  return { started, namespace, verdict, failed: ruleCounts(run).failed, verified, of }
}

/** The history with a run added; a run that is reported again replaces its earlier entry. */
export const withRun = ({ runs, outcomes }: History, run: Run): History => {
  const { started, namespace } = run.facts
  const known = runs.findIndex((one) => one.started === started && one.namespace === namespace)
  const place = known === -1 ? runs.length : known
  const letters = new Map(run.findings.map(({ check, verdict }) => [check, letterOf(verdict)]))
  const failed = [...letters].filter(([, letter]) => letter === 'f').map(([check]) => check)
  const updated = [...new Set([...Object.keys(outcomes), ...failed])]
    .map((check): [string, string] => {
      const seen = (outcomes[check] ?? '').padStart(runs.length, '-')
      const letter = letters.get(check) ?? '-'
      return [check, `${seen.slice(0, place)}${letter}${seen.slice(place + 1)}`.slice(-maxRuns)]
    })
    .filter(([, seen]) => seen.includes('f'))
  return {
    runs: runs.toSpliced(place, 1, pastRun(run)).slice(-maxRuns),
    outcomes: Object.fromEntries(updated),
  }
}

/** A check that fails and passes in turn says little about the last change to the service. */
const flaky = { runs: 10, minChanges: 2 } as const

const changesIn = (letters: string): number => letters.match(/f(?=p)|p(?=f)/g)?.length ?? 0

/** Titles of the checks whose verdict changed back and forth in the last runs. */
export const flakyChecks = ({ outcomes }: History): ReadonlySet<string> =>
  new Set(
    Object.entries(outcomes)
      .filter(
        ([, seen]) => changesIn(seen.slice(-flaky.runs).replaceAll('-', '')) >= flaky.minChanges,
      )
      .map(([check]) => check),
  )
