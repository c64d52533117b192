import { limits } from '../../../contract/limits.ts'

/** What a session takes, where a document is verified without a session. */
export const sessionLimits = {
  maxInvoiceBytes: limits['invoice.bytes'].value,
  maxInvoiceWithAttachmentBytes: limits['invoice.bytesWithAttachment'].value,
  maxInvoices: limits['session.invoices'].value,
}
