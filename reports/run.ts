import { counted } from '../lib/words.ts'
import { conclude, isBad, verifiedOf } from '../lib/verdict.ts'
import type { Conclusion } from '../lib/verdict.ts'
import type { CiBuild } from './ci-build.ts'
import { areaOf, grouped, totalsOf } from './finding.ts'
import type { Finding } from './finding.ts'
import type { PlannedCheck } from './plan.ts'

/** Facts of a run that every report shows. */
export interface RunFacts {
  readonly started: string
  readonly finished: string
  readonly seed: number
  readonly namespace: string
  readonly target: string
  /** How the target spells the contract. */
  readonly dialect?: string
  readonly version: string
  /** The share of the applicable checks that has to be verified, 0 to 1. */
  readonly minVerified?: number
  /** The same for single areas. */
  readonly minVerifiedOf?: Readonly<Record<string, number>>
  /** Part i/n of a run that is split over several machines. */
  readonly shard?: string
  /** Stopped by the user. */
  readonly interrupted?: boolean
  /** The build of the CI server in which it ran. */
  readonly build?: CiBuild
}

/** A run as the reports see it: what was found, and which planned checks did not report. */
export interface Run {
  readonly facts: RunFacts
  readonly findings: readonly Finding[]
  readonly planned: number
  readonly notRun: readonly PlannedCheck[]
}

/** A required share of verified checks that was not reached; without `area`, the share of all checks. */
interface Shortfall {
  readonly area?: string
  readonly share: number
  readonly wanted: number
}

const shortfallsOf = ({ facts, findings }: Run): readonly Shortfall[] => {
  const { minVerified = 0, minVerifiedOf = {} } = facts
  const ofAreas = Object.entries(minVerifiedOf).map(([area, wanted]) => ({
    area,
    wanted,
    found: findings.filter(({ rule }) => areaOf(rule) === area),
  }))
  return [{ wanted: minVerified, found: findings }, ...ofAreas].flatMap(({ found, ...asked }) => {
    const { share } = verifiedOf(totalsOf(found))
    return share < asked.wanted ? [{ ...asked, share }] : []
  })
}

export const conclusionOf = (run: Run): Conclusion =>
  conclude(totalsOf(run.findings), {
    notRun: run.notRun.length,
    interrupted: run.facts.interrupted === true,
    underVerified: shortfallsOf(run).length > 0,
  })

/** The verdict in a sentence, with what is missing. */
export const verdictLine = (run: Run): string => {
  const { verdict } = conclusionOf(run)
  const shortfalls = verdict === 'no verdict' ? shortfallsOf(run) : []
  if (shortfalls.length > 0)
    return `no verdict: ${shortfalls.map(({ area, share, wanted }) => `${percent(share)} ${area === undefined ? '' : `of ${area} `}verified, at least ${percent(wanted)} asked for`).join('; ')}`
  if (verdict !== 'incomplete') return verdict
  const why = run.facts.interrupted === true ? 'interrupted' : 'the run ended early'
  return `incomplete (${why}): ${run.notRun.length} of ${run.planned} planned checks did not report`
}

const rulesWith = (findings: readonly Finding[], wanted: (finding: Finding) => boolean): number =>
  new Set(findings.filter(wanted).map(({ rule }) => rule)).size

/** How many rules failed, have no verdict, or have warnings. */
export interface RuleCounts {
  readonly failed: number
  readonly undecided: number
  readonly warned: number
}

export const ruleCounts = ({ findings }: Run): RuleCounts => ({
  failed: rulesWith(findings, ({ verdict }) => verdict === 'fail'),
  undecided: rulesWith(findings, ({ verdict }) => isBad(verdict) && verdict !== 'fail'),
  warned: rulesWith(findings, ({ verdict }) => verdict === 'warn'),
})

/** The verdict with the number of rules behind it: `not conformant: 4 rules failed, 1 rule without a verdict`. */
export const headline = (run: Run): string => {
  const { failed, undecided, warned } = ruleCounts(run)
  const counts = [
    failed > 0 && `${counted(failed, 'rule')} failed`,
    undecided > 0 && `${counted(undecided, 'rule')} without a verdict`,
    warned > 0 && `${counted(warned, 'rule')} with warnings`,
  ].filter(Boolean)
  return [verdictLine(run), counts.join(', ')].filter(Boolean).join(': ')
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`

/** A reason without its advice, for use within a line. */
const inBrief = (reason: string): string => reason.split(';', 1)[0] ?? ''

/** How many reasons fit into a line that is read. */
const maxReasons = 8

/** Why checks were not verifiable, the most frequent reason first; the rare ones together. */
const unverifiedBecause = (findings: readonly Finding[]): string[] => {
  const phrases = grouped(findings, ({ needs = [], reason = '' }) =>
    needs[0] === undefined ? inBrief(reason) : `needs ${needs[0]}`,
  )
  const known = [...phrases]
    .filter(([phrase]) => phrase !== '')
    .toSorted(([, a], [, b]) => b.length - a.length)
  const named = known.length > maxReasons + 1 ? known.slice(0, maxReasons) : known
  const rare = known.slice(named.length)
  const others = rare.reduce((sum, [, { length }]) => sum + length, 0)
  return [
    ...named.map(([phrase, { length }]) =>
      phrase.startsWith('needs ')
        ? `${length} ${length === 1 ? phrase : phrase.replace('needs', 'need')}`
        : `${length}: ${phrase}`,
    ),
    ...(others === 0 ? [] : [`${others} for ${rare.length} rarer reasons`]),
  ]
}

/** How much of what applies to the target was verified, and what the rest would need. */
export const coverageLine = ({ findings }: Run): string => {
  const { verified, of, share } = verifiedOf(totalsOf(findings))
  const line = `verified ${verified} of ${of} (${percent(share)})`
  const unverifiable = findings.filter(({ verdict }) => verdict === 'not-verifiable')
  if (unverifiable.length === 0) return line
  const why = unverifiedBecause(unverifiable)
  return `${line}, not verifiable ${unverifiable.length}${why.length === 0 ? '' : ` (${why.join('; ')})`}`
}
