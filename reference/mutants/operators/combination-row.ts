import type { Facet } from '../facets.ts'
import type { Mutant } from '../mutant.ts'
import type { Rules } from './operator.ts'

/** Facets of an invoice that meet, or the one that meets a fault. */
export type Pair = readonly Facet[]

/** A defect, with the combinations of facets in which alone it shows. */
export interface CombinationRow {
  readonly rules: Rules
  readonly mutant: (pair: Pair) => Mutant
  readonly pairs: readonly Pair[]
}

export type CombinationRows = Readonly<Record<string, CombinationRow>>
