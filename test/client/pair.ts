import type { RuleId } from '../../contract/rules.ts'
import type { History } from '../../suites/client/history.ts'

/** A client rule in both directions: a history that keeps it, and the nearest that does not. */
export interface Pair {
  readonly rule: RuleId
  readonly title: string
  readonly kept: History
  readonly broken: History
  /** Numbers of the steps that prove the conviction. */
  readonly proof: readonly number[]
  /** The broken history is convicted under this rule and no other. */
  readonly alone?: true
}
