/** How sessions and invoices look in answers, in canonical form. Source: gaps session-status and invoice-status. */

import type { Service } from '../call/service.ts'
import { addressOf, signLink } from '../http/links.ts'
import { utc, utcOrNull } from '../base/wording.ts'
import type { Invoice, Session } from '../model/documents.ts'

/** A fresh address of a receipt, and until when it holds. */
export const receiptLink = (
  service: Service,
  receipt: string,
): { url: string; expiration: string } => {
  const from = service.policy.receiptLinkFrom(service.clock.now())
  const until = from + service.limit('receipt.linkLifetime') * 1000
  const receiptId = `${receipt}.${signLink(service, 'receipt', receipt, until)}`
  return { url: addressOf(service, 'receipts.link', { receiptId }), expiration: utc(until) }
}

export const sessionStatusView = (service: Service, session: Session) => {
  const { policy } = service
  const { status } = session
  const receipts = policy.receiptsShown(session)
  const { total, accepted, rejected } = policy.countedInvoices(session)
  const { dateCreated, dateUpdated, validUntil } = policy.sessionDates(session, 'status')
  const code = policy.shownSessionState(status.code)
  const view = {
    status: code === status.code ? status : { ...status, code },
    dateCreated: utc(dateCreated),
    dateUpdated: utc(dateUpdated),
    validUntil: utc(validUntil),
    invoiceCount: total,
    successfulInvoiceCount: accepted,
    failedInvoiceCount: rejected,
  }
  if (receipts.length === 0) return view
  const pages = receipts.map((referenceNumber) => {
    const { url, expiration } = receiptLink(service, referenceNumber)
    return { referenceNumber, downloadUrl: url, downloadUrlExpirationDate: expiration }
  })
  return { ...view, upo: { pages } }
}

export const sessionItemView = (service: Service, session: Session) => {
  const { policy } = service
  const { total, accepted, rejected } = policy.countedInvoices(session)
  const { dateCreated, dateUpdated, validUntil } = policy.sessionDates(session, 'list')
  return {
    referenceNumber: session.referenceNumber,
    status: session.status,
    dateCreated: utc(dateCreated),
    dateUpdated: utc(dateUpdated),
    validUntil: utc(validUntil),
    totalInvoiceCount: total,
    successfulInvoiceCount: accepted,
    failedInvoiceCount: rejected,
  }
}

export const invoiceStatusView = (service: Service, invoice: Invoice) => {
  const { state, policy } = service
  const session = state.sessions.get(invoice.session)
  const issued = invoice.svcNumber === undefined ? undefined : state.issued.get(invoice.svcNumber)
  const invoicingAt = session?.kind === 'batch' ? session.openedAt : invoice.receivedAt
  const link = policy.statusHasReceiptLink(issued !== undefined)
    ? receiptLink(service, invoice.referenceNumber)
    : undefined
  const original = invoice.status.extensions
  return {
    referenceNumber: invoice.referenceNumber,
    ...(policy.statusNamesSession() && { sessionReferenceNumber: invoice.session }),
    ordinalNumber: invoice.ordinal,
    invoiceNumber: invoice.number ?? null,
    svcNumber: issued === undefined ? null : policy.shownSvcNumber(issued.svcNumber),
    invoiceHash: invoice.hash,
    ...(invoice.fileName !== undefined && { invoiceFileName: invoice.fileName }),
    invoicingDate: utc(invoicingAt),
    acquisitionDate: utcOrNull(issued?.acquiredAt),
    permanentStorageDate: utcOrNull(issued?.storedAt),
    upoDownloadUrl: link?.url ?? null,
    upoDownloadUrlExpirationDate: link?.expiration ?? null,
    invoicingMode: issued?.mode ?? (invoice.offline ? 'Offline' : null),
    status: invoice.status,
    ...(original !== undefined && {
      originalSessionReferenceNumber: original['originalSessionReferenceNumber'] ?? null,
      originalSvcNumber: original['originalSvcNumber'] ?? null,
    }),
  }
}

/** Groups of states by which the list of sessions is filtered. */
export const outcomeOf = (code: number): 'InProgress' | 'Succeeded' | 'Failed' | 'Cancelled' =>
  code < 200 ? 'InProgress' : code === 200 ? 'Succeeded' : code === 440 ? 'Cancelled' : 'Failed'
