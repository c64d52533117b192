import type { Client } from '../../../lib/client.ts'
import { expectOk } from '../../../lib/outcome.ts'

/** Limits of both kinds of session, of which the number of invoices is a given one. */
export const limitsWith = (maxInvoices: number) => {
  const one = { maxInvoiceSizeInMB: 1, maxInvoiceWithAttachmentSizeInMB: 3, maxInvoices }
  return { onlineSession: one, batchSession: one }
}

/**
 * Sets a small number of invoices as the limit for the context of a caller.
 * @throws {Inconclusive} when that is refused
 */
export const lowerTo = async (api: Client, maxInvoices: number): Promise<void> => {
  const body = limitsWith(maxInvoices)
  expectOk(await api.call('testdata.setSessionLimits', { body }), 'set limits of the context')
}
