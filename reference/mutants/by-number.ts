import type { OperationId } from '../../contract/endpoints.ts'
import type { Invoice } from '../model/documents.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies, lists } from './rewrite.ts'
import { sessionOf } from './session-views.ts'

/** What is kept for each invoice number, as if a session had each number once. */

/** Of the entries that share a property the first; each of those that lack it. */
export const firstOfEach = <T>(all: readonly T[], property: (one: T) => unknown): T[] => {
  const seen = new Set<unknown>()
  return all.filter((one) => {
    const value = property(one) ?? one
    const isNew = !seen.has(value)
    seen.add(value)
    return isNew
  })
}

/** Lists of the invoices of a session have one row for each number, of those that are listed so. */
export const oneRowForANumber = (
  operation: OperationId,
  isSuch: (row: Fields) => boolean = () => true,
): Mutant =>
  lists<Fields>([operation], 'invoices', (rows) =>
    firstOfEach(rows, (row) => (isSuch(row) ? row['invoiceNumber'] : undefined)),
  )

/** A session counts one invoice for each number, of those of one outcome. */
export const countedByNumber = (
  counter: 'successfulInvoiceCount' | 'failedInvoiceCount',
  isSuch: (invoice: Invoice) => boolean,
): Mutant =>
  bodies(['sessions.status'], (_body, call) => {
    const reference = sessionOf(call)?.referenceNumber ?? ''
    const all = call.service.state.invoices.by('session', reference).filter(isSuch)
    return all.length === 0 ? {} : { [counter]: firstOfEach(all, ({ number }) => number).length }
  })
