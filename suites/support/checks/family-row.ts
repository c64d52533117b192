import type { Variant } from '../../../contract/types.ts'

/** What is said of a family of checks. */
export interface FamilyRow extends Omit<Variant, 'description'> {
  /** The file that registers the checks of the family, below `suites/`. */
  readonly file: string
  /** Registered only when there are documents for it. */
  readonly optional?: true
  /** The first of its checks in a run does the work, and the others judge what it showed. */
  readonly together?: true
}
