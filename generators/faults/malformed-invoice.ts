import type fc from 'fast-check'
import { drawn } from '../draw/arbitrary.ts'
import { buildInvoice } from '../invoice/build.ts'
import type { InvoiceOptions } from '../invoice/options.ts'
import { invoiceMalformationsOf, malformWith } from './invoices.ts'
import type { Malformed } from './invoices.ts'
import type { InvoiceMalformation } from './malformation.ts'

export interface MalformedInvoice extends Malformed {
  readonly malformation: InvoiceMalformation
}

/**
 * Invoices with one fault each, of the given classes, else of all that the schema can have. They shrink to the
 * plainest document that can have the fault, and to the first class.
 */
export function malformedInvoice(
  options: InvoiceOptions,
  classes: readonly InvoiceMalformation[] = invoiceMalformationsOf(options.schema ?? 'fa3'),
): fc.Arbitrary<MalformedInvoice> {
  return drawn((draw) => {
    const malformation = draw.pick(classes)
    const { document } = buildInvoice(options, draw)
    return { malformation, ...malformWith(malformation, document, draw) }
  })
}
