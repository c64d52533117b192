import type { RuleId } from '../../contract/rules.ts'
import type { History } from './history.ts'

/** What one judge says of one history. `fail` is a conviction: the steps prove it. */
export interface Opinion {
  readonly rule: RuleId
  readonly variant?: string | undefined
  readonly verdict: 'pass' | 'fail' | 'not-exercised' | 'not-verifiable'
  readonly reason: string
  /** Numbers of the steps that prove it, in order. */
  readonly steps: readonly number[]
  /** The document of the task that it is about. */
  readonly document?: string | undefined
  /** What the client should do instead. */
  readonly advice?: string | undefined
  /** This is why documents came to harm. */
  readonly explains?: true | undefined
}

export type Judge = (history: History) => readonly Opinion[]

type About = Partial<Pick<Opinion, 'variant' | 'document' | 'advice' | 'explains'>>

export const passed = (
  rule: RuleId,
  reason: string,
  steps: readonly number[],
  about?: About,
): Opinion => ({ rule, verdict: 'pass', reason, steps, ...about })
export const convicted = (
  rule: RuleId,
  reason: string,
  steps: readonly number[],
  about?: About,
): Opinion => ({ rule, verdict: 'fail', reason, steps, ...about })
export const notExercised = (rule: RuleId, reason: string, about?: About): Opinion => ({
  rule,
  verdict: 'not-exercised',
  reason,
  steps: [],
  ...about,
})
export const notVerifiable = (rule: RuleId, reason: string, about?: About): Opinion => ({
  rule,
  verdict: 'not-verifiable',
  reason,
  steps: [],
  ...about,
})
