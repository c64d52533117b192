/** Searches of metadata, and what their mutants change. */

import type { Mutant } from './mutant.ts'
import type { Change } from './rewrite.ts'
import { bodies, records } from './rewrite.ts'

export interface Metadata {
  readonly invoicingMode: string
  readonly netAmount: number
  readonly grossAmount: number
  readonly vatAmount: number
  readonly thirdSubjects?: readonly unknown[]
}

export const described = (change: Change<Metadata>): Mutant =>
  records(['queries.metadata'], 'invoices', change)

/** Of the invoices under one number a search has the first. */
export const oneOfANumber = (operation: 'queries.metadata' | 'queries.general'): Mutant =>
  bodies<{ readonly invoices: readonly { readonly invoiceNumber: string }[] }>(
    [operation],
    ({ invoices }) => ({
      invoices: invoices.filter(
        ({ invoiceNumber }, place) =>
          invoices.findIndex((one) => one.invoiceNumber === invoiceNumber) === place,
      ),
    }),
  )
