import type { RateRuleId } from '../../contract/limits.ts'
import type { Capability } from '../../contract/types.ts'
import type { Verdict } from '../../lib/verdict.ts'
import type { Comparison } from '../compare.ts'
import type { GapState } from '../gap-outcomes.ts'
import type { RuleCounts } from '../run.ts'

/** The words of the report page, one set for each language. */
export interface Words {
  readonly title: string
  readonly verdicts: Readonly<Record<Verdict | 'not run', string>>
  readonly conclusion: Readonly<Record<string, string>>
  readonly target: string
  readonly dialect: string
  readonly started: string
  readonly finished: string
  readonly seed: string
  readonly version: string
  readonly summary: string
  readonly failures: string
  readonly noFailures: string
  readonly requirements: string
  readonly gaps: string
  readonly gapsIntroduction: string
  readonly search: string
  readonly show: string
  readonly everything: string
  readonly rule: string
  readonly level: string
  readonly verdict: string
  readonly checks: string
  readonly clause: string
  readonly expected: string
  readonly received: string
  readonly reason: string
  readonly likely: string
  readonly replay: string
  readonly calls: string
  readonly files: string
  readonly question: string
  readonly assumption: string
  readonly onTarget: string
  readonly gapStates: Readonly<Record<GapState, string>>
  readonly rulesOf: string
  readonly compared: string
  readonly changes: Readonly<Record<keyof Comparison, string>>
  readonly unchanged: string
  readonly load: string
  readonly defects: string
  readonly defectsCount: (caught: number, of: number) => string
  readonly survivors: string
  readonly defectsTried: string
  readonly defectsCaught: string
  readonly whichDefects: string
  readonly sameCause: (findings: number, rules: number) => string
  /** How much was verified; the line of the console where absent. */
  readonly coverage: ((verified: number, of: number, percent: number) => string) | undefined
  /** The verdict with the rules behind it; the headline of all reports where absent. */
  readonly headline: ((verdict: string, counts: RuleCounts) => string) | undefined
  readonly stake: string
  readonly areas: Readonly<Record<string, string>>
  readonly byArea: string
  readonly area: string
  readonly unverified: string
  readonly allVerified: string
  /** Why checks could not be verified: what the target lacks. */
  readonly lacking: (what: string) => string
  /** What a target may lack; the sentence of the contract where absent. */
  readonly capabilities: Readonly<Partial<Record<Capability, string>>>
  /** Rules that no check of the run was about. */
  readonly notSelected: (rules: number) => string
  readonly rates: string
  readonly ratesIntroduction: string
  readonly operation: string
  readonly windows: Readonly<Record<'second' | 'minute' | 'hour', string>>
  /** The rows of the rate table; those of the contract where absent. */
  readonly rateRows: Readonly<Partial<Record<RateRuleId, string>>>
  readonly flaky: string
  readonly flakyCount: (checks: number) => string
  readonly history: string
  readonly historyIntroduction: string
  readonly failedRules: string
  readonly verifiedChecks: string
}
