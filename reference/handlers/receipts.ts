import type { Service } from '../call/service.ts'
import type { Answer, Caller, Handlers } from '../call/call.ts'
import { keyOf } from '../model/entities.ts'
import { invoiceIn, sessionFor } from '../invoices/access.ts'
import type { Issued, ReceiptPage } from '../model/documents.ts'
import { normalSvcNumber } from '../base/service-numbers.ts'
import { invoiceReceipt, sessionReceipt } from '../invoices/receipts.ts'
import { rolesIn } from '../model/roles.ts'
import { linkUntil } from '../http/links.ts'
import { sha256Base64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'

const answer = (bytes: Uint8Array): Answer => ({
  bytes,
  headers: { 'x-ms-meta-hash': sha256Base64(bytes) },
})

/** Whether a context is the issuer or the buyer; of a session, whether the session is its own. */
const mayRead = (
  service: Service,
  { context }: Caller,
  page: ReceiptPage | undefined,
  issued: Issued | undefined,
): boolean => {
  const { policy, state } = service
  if (page !== undefined) {
    const session = state.sessions.get(page.session)
    return policy.mayReadReceipt(
      session !== undefined && keyOf(session.context) === keyOf(context),
      false,
    )
  }
  if (issued === undefined) return false
  const { sender, seller, buyer } = rolesIn(context, issued)
  return policy.mayReadReceipt(sender || seller, buyer)
}

/** Handlers of receipts. Source: specification, Endpoints > Invoices, operations and others; gap receipt-paths. */
export const receiptsHandlers = {
  'receipts.session': ({ service, caller, path }) => {
    const session = sessionFor(service, caller, path.referenceNumber)
    const page = service.state.receiptPages.get(path.upoReferenceNumber)
    if (
      page === undefined ||
      !service.policy.receiptIsOfSession(page.session, session.referenceNumber)
    )
      throw refuse('receipt-unknown')
    return answer(sessionReceipt(service, page))
  },

  'receipts.invoice': ({ service, caller, path }) => {
    const { svcNumber } = invoiceIn(
      service,
      caller,
      path.referenceNumber,
      path.invoiceReferenceNumber,
    )
    const issued = svcNumber === undefined ? undefined : service.state.issued.get(svcNumber)
    if (issued === undefined) throw refuse('receipt-unknown')
    return answer(invoiceReceipt(service, issued))
  },

  'receipts.invoiceBySvcNumber': ({ service, caller, path }) => {
    const session = sessionFor(service, caller, path.referenceNumber)
    const issued = service.state.issued.get(normalSvcNumber(path.svcNumber) ?? path.svcNumber)
    if (
      issued === undefined ||
      !service.policy.receiptIsOfSession(issued.session, session.referenceNumber)
    )
      throw refuse('receipt-unknown')
    return answer(invoiceReceipt(service, issued))
  },

  'receipts.link': ({ service, caller, path, now }) => {
    const { policy, state } = service
    const dot = path.receiptId.indexOf('.')
    const subject = path.receiptId.slice(0, Math.max(dot, 0))
    const until = linkUntil(service, 'receipt', subject, path.receiptId.slice(dot + 1))
    if (until === undefined) throw refuse('receipt-unknown')
    const page = state.receiptPages.get(subject)
    const invoice = state.invoices.get(subject)
    const issued =
      invoice?.svcNumber === undefined ? undefined : state.issued.get(invoice.svcNumber)
    // Where a dialect lets the link suffice, there is no caller.
    const reader = caller as Caller | undefined
    if (reader !== undefined && !mayRead(service, reader, page, issued))
      throw refuse('receipt-unknown')
    if (!policy.receiptLinkHolds(now, until)) throw refuse('link-expired')
    if (page !== undefined) return answer(sessionReceipt(service, page))
    if (issued !== undefined) return answer(invoiceReceipt(service, issued))
    throw refuse('receipt-unknown')
  },
} satisfies Handlers<'receipts'>
