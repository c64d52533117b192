import type { Dialect } from '../../../contract/dialect.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Place } from '../mutant.ts'
import type { Rules } from './operator.ts'

/** Decisions between yes and no. */
export type Question = {
  [Name in keyof Policy]: Policy[Name] extends (...given: never[]) => boolean ? Name : never
}[keyof Policy]

/** What breaks when the answer is always yes, and when it is always no; absent where the contract forbids nothing. */
export interface Row {
  readonly yes?: Rules
  readonly no?: Rules
  /** Places that each take the decision separately: the check can be missing in one of them. */
  readonly at?: readonly Place[]
  /** Why it decides nothing in a dialect, everywhere or in one place. */
  readonly absentIn?: (dialect: Dialect, place?: Place) => string | undefined
}

export type Rows = { readonly [Name in Question]?: Row }

export const row = (yes: Rules | undefined, no?: Rules, at?: readonly Place[]): Row => ({
  ...(yes && { yes }),
  ...(no && { no }),
  ...(at && { at }),
})
