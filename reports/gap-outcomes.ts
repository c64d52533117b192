import { gaps } from '../contract/gaps.ts'
import type { GapId } from '../contract/gaps.ts'
import { ruleIds, ruleRow, variantsOf } from '../contract/rules.ts'
import type { Finding, Verdict } from './finding.ts'
import { table } from './markdown.ts'

/** What the assumptions behind the gaps of the specification turned out to be on a target. */

export type GapState = 'held' | 'differed' | 'not seen'

export interface GapOutcome {
  readonly gap: GapId
  /** `differed` as soon as one check saw something else than is assumed. */
  readonly state: GapState
  /** Checks that rest on it and came to a verdict. */
  readonly checks: number
  /** What the checks saw that differs. */
  readonly seen: readonly string[]
}

/** A gap that is not what it was in an earlier run against the same target. */
export interface GapChange {
  readonly gap: GapId
  readonly before: GapState
  readonly now: GapState
}

/** The gaps that a check rests on. */
const gapsBehind = ({ rule, variant = '' }: Finding): readonly string[] => {
  const id = ruleIds.find((known) => known === rule)
  if (id === undefined) return []
  const own = variantsOf(id).get(variant.split(', ', 1)[0] ?? '')
  // What may be so or otherwise says nothing about an assumption.
  if ((own?.level ?? ruleRow(id).level) === 'MAY') return []
  return [...(ruleRow(id).assumes ?? []), ...(own?.assumes ?? [])]
}

const differs: ReadonlySet<Verdict> = new Set(['observed', 'fail', 'warn', 'known'])

/** What each gap turned out to be in a run. */
export const gapOutcomes = (findings: readonly Finding[]): readonly GapOutcome[] => {
  const observed = findings
    .filter(({ verdict }) => verdict === 'pass' || differs.has(verdict))
    .map((finding) => ({ finding, behind: new Set(gapsBehind(finding)) }))
  return (Object.keys(gaps) as GapId[]).map((gap) => {
    const about = observed.filter(({ behind }) => behind.has(gap)).map(({ finding }) => finding)
    const differing = about.filter(({ verdict }) => differs.has(verdict))
    const state = about.length === 0 ? 'not seen' : differing.length > 0 ? 'differed' : 'held'
    const seen = differing.map(
      ({ rule, variant, actual, reason }) =>
        `${rule}${variant === undefined ? '' : ` / ${variant}`}: ${actual ?? reason ?? ''}`,
    )
    return { gap, state, checks: about.length, seen }
  })
}

/** What changed since an earlier run; what either run did not see says nothing. */
export const gapChanges = (
  now: readonly GapOutcome[],
  before: readonly GapOutcome[],
): readonly GapChange[] => {
  const states = new Map(before.map(({ gap, state }) => [gap, state]))
  return now.flatMap(({ gap, state }) => {
    const earlier = states.get(gap) ?? 'not seen'
    const changed = earlier !== state && earlier !== 'not seen' && state !== 'not seen'
    return changed ? [{ gap, before: earlier, now: state }] : []
  })
}

const countOf = (outcomes: readonly GapOutcome[], state: GapState): number =>
  outcomes.filter((outcome) => outcome.state === state).length

/** The gaps of a run for the terminal: one line, and one for each that differs or has changed. */
export const gapLines = (
  outcomes: readonly GapOutcome[],
  changes: readonly GapChange[] | undefined,
): readonly string[] => [
  `gaps: ${countOf(outcomes, 'held')} as assumed, ${countOf(outcomes, 'differed')} different, ${countOf(outcomes, 'not seen')} not seen`,
  ...outcomes
    .filter(({ state }) => state === 'differed')
    .map(({ gap, seen }) => `  ${gap} differs: ${seen[0] ?? ''}`),
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
        ? 'Nothing has changed since the last run against this target.'
        : `Changed since the last run against this target: ${changes.map(({ gap, before, now }) => `${gap} (${before}, now ${now})`).join(', ')}.`,
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
