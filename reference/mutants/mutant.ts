import type { RuleId } from '../../contract/rules.ts'
import type { Policy } from '../policy/policy.ts'

/** A defect on purpose. */
export interface Mutant {
  /** The rules that it breaks; a check of one of them must notice. */
  readonly breaks: readonly RuleId[]
  /** Which decisions it takes otherwise. */
  readonly policy: Partial<Policy>
}
