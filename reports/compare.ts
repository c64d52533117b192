import { isBad } from '../lib/verdict.ts'
import type { Finding } from './finding.ts'
import type { Run } from './run.ts'

/** What changed since an earlier run, by titles of checks. */
export interface Comparison {
  /** Failing or without a verdict now, and not then. */
  readonly new: readonly string[]
  readonly fixed: readonly string[]
  readonly stillFailing: readonly string[]
  /** Verified then; now not verifiable, or not run. */
  readonly noLongerVerifiable: readonly string[]
}

const unverified = (finding: Finding): boolean =>
  finding.verdict === 'not-verifiable' || finding.verdict === 'not-applicable'

/** Compares a run with the findings of an earlier one; a check that this run did not plan is left out. */
export const compareRuns = (
  earlier: readonly Finding[],
  { findings, notRun }: Pick<Run, 'findings' | 'notRun'>,
): Comparison => {
  const before = new Map(earlier.map((finding) => [finding.check, finding]))
  const failed = (check: string): boolean => {
    const then = before.get(check)
    return then !== undefined && isBad(then.verdict)
  }
  const verified = (check: string): boolean => {
    const then = before.get(check)
    return then !== undefined && !isBad(then.verdict) && !unverified(then)
  }
  const titles = (of: readonly Finding[]) => of.map(({ check }) => check)
  const bad = findings.filter(({ verdict }) => isBad(verdict))
  const lost = [...findings.filter(unverified), ...notRun].map(({ check }) => check)
  return {
    new: titles(bad).filter((check) => !failed(check)),
    fixed: titles(findings.filter((one) => !isBad(one.verdict) && !unverified(one))).filter(failed),
    stillFailing: titles(bad).filter(failed),
    noLongerVerifiable: lost.filter(verified),
  }
}

const headings = {
  new: 'new',
  fixed: 'fixed',
  stillFailing: 'still failing',
  noLongerVerifiable: 'no longer verifiable',
} as const satisfies Record<keyof Comparison, string>

/** A comparison for people: each group with its checks, empty ones left out. */
export const comparisonLines = (comparison: Comparison): readonly string[] => {
  const groups = Object.entries(headings) as [keyof Comparison, string][]
  const lines = groups.flatMap(([group, heading]) =>
    comparison[group].length === 0
      ? []
      : [
          `${heading} (${comparison[group].length}):`,
          ...comparison[group].map((check) => `  ${check}`),
        ],
  )
  return lines.length === 0 ? ['nothing changed since the earlier run'] : lines
}
