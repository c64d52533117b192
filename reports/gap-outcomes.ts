import { gaps } from '../contract/gaps.ts'
import type { GapId } from '../contract/gaps.ts'
import type { Rule } from '../contract/types.ts'
import type { Finding, Verdict } from './finding.ts'
import { table } from './markdown.ts'

/** What the assumptions behind the gaps of the specification turned out to be on a target. */

export type GapState = 'held' | 'differed' | 'not seen'

export interface GapOutcome {
  readonly gap: GapId
  /** `differed` as soon as one check saw something other than what is assumed. */
  readonly state: GapState
  /** Checks that rest on it and came to a verdict. */
  readonly checks: number
  /** What the checks saw that differs. */
  readonly seen: readonly string[]
  /** The rules of all checks of the run that rest on it, those without a verdict too. */
  readonly rules: readonly string[]
}

/** A gap that is not what it was in an earlier run against the same target. */
export interface GapChange {
  readonly gap: GapId
  readonly before: GapState
  readonly now: GapState
}

/** The row of a check: with the level and the assumptions of its rule, of its variant and of its family. */
export type RowOfCheck = (check: Pick<Finding, 'rule' | 'variant'>) => Row | undefined

type Row = Pick<Rule, 'level' | 'assumes'>

/** The gaps that a check rests on. */
const gapsBehind = (row: Row | undefined): readonly string[] =>
  // A rule that permits either behaviour says nothing about an assumption.
  row === undefined || row.level === 'MAY' ? [] : (row.assumes ?? [])

const differs: ReadonlySet<Verdict> = new Set(['observed', 'fail', 'warn', 'known'])

/** What each gap turned out to be in a run. */
export const gapOutcomes = (
  findings: readonly Finding[],
  rowOf: RowOfCheck,
): readonly GapOutcome[] => {
  const rows = findings.map((finding) => ({ finding, behind: new Set(gapsBehind(rowOf(finding))) }))
  return (Object.keys(gaps) as GapId[]).map((gap) => {
    const resting = rows.filter(({ behind }) => behind.has(gap)).map(({ finding }) => finding)
    const differing = resting.filter(({ verdict }) => differs.has(verdict))
    const held = resting.filter(({ verdict }) => verdict === 'pass')
    const checks = differing.length + held.length
    const seen = differing.map(
      ({ rule, variant, actual, reason }) =>
        `${rule}${variant === undefined ? '' : ` / ${variant}`}: ${actual ?? reason ?? ''}`,
    )
    return {
      gap,
      state: checks === 0 ? 'not seen' : differing.length > 0 ? 'differed' : 'held',
      checks,
      seen,
      rules: [...new Set(resting.map(({ rule }) => rule))],
    }
  })
}

/**
 * What changed since the last of the earlier runs that saw each gap; what none of them saw says nothing.
 * @param before the outcomes of earlier runs, the last one first
 */
export const gapChanges = (
  now: readonly GapOutcome[],
  before: readonly (readonly GapOutcome[])[],
): readonly GapChange[] => {
  const states = new Map<GapId, GapState>()
  for (const { gap, state } of before.flat())
    if (state !== 'not seen' && !states.has(gap)) states.set(gap, state)
  return now.flatMap(({ gap, state }) => {
    const earlier = states.get(gap)
    const changed = earlier !== undefined && earlier !== state && state !== 'not seen'
    return changed ? [{ gap, before: earlier, now: state }] : []
  })
}

const countOf = (outcomes: readonly GapOutcome[], state: GapState): number =>
  outcomes.filter((outcome) => outcome.state === state).length

const longest = 240

const onOneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > longest ? `${line.slice(0, longest)}...` : line
}

/** The gaps of a run for the terminal: one line, and one for each that differs or has changed. */
export const gapLines = (
  outcomes: readonly GapOutcome[],
  changes: readonly GapChange[] | undefined,
): readonly string[] => [
  `gaps: ${countOf(outcomes, 'held')} as assumed, ${countOf(outcomes, 'differed')} different, ${countOf(outcomes, 'not seen')} not seen`,
  ...outcomes
    .filter(({ state }) => state === 'differed')
    .map(({ gap, seen }) => `  ${gap} differs: ${onOneLine(seen[0] ?? '')}`),
  ...(changes ?? []).map(({ gap, before, now }) => `  ${gap} changed: it ${before}, now it ${now}`),
]

/** The gaps of a run as a section of the requirement matrix. */
export const gapSection = (
  outcomes: readonly GapOutcome[],
  changes: readonly GapChange[] | undefined,
): string =>
  [
    '## Gaps of the specification',
    changes === undefined
      ? 'There is no earlier run against this target to compare with.'
      : changes.length === 0
        ? 'Nothing has changed since the earlier runs against this target.'
        : `Changed since an earlier run against this target: ${changes.map(({ gap, before, now }) => `${gap} (${before}, now ${now})`).join(', ')}.`,
    table(
      ['gap', 'assumption', 'on this target', 'checks', 'what was seen'],
      outcomes.map(({ gap, state, checks, seen }) => [
        gap,
        gaps[gap].assumption,
        state,
        String(checks),
        seen[0] ?? '',
      ]),
    ),
  ].join('\n\n')
