import type { RuleId } from '../../contract/rules.ts'
import type { Conduct } from './conduct.ts'

/** A client that is wrong for one reason. */
export interface Variant {
  readonly id: string
  /** The rule under which it has to be convicted. */
  readonly breaks: RuleId
  readonly title: string
  readonly conduct: Partial<Conduct>
  /** Ordeals that have to convict it; the examination of the variant runs these. */
  readonly ordeals: readonly string[]
}
