/** Searches of metadata, and what their mutants change. */

import type { Mutant } from './mutant.ts'
import type { Change } from './rewrite.ts'
import { records } from './rewrite.ts'

export interface Metadata {
  readonly invoicingMode: string
  readonly netAmount: number
  readonly grossAmount: number
  readonly vatAmount: number
  readonly thirdSubjects?: readonly unknown[]
}

export const described = (change: Change<Metadata>): Mutant =>
  records(['queries.metadata'], 'invoices', change)
