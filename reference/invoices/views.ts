/** How sessions and invoices look in answers, in canonical form. Source: gaps session-status and invoice-status. */

import type { Service } from '../call/service.ts'
import { addressOf, signLink } from '../http/links.ts'
import { utc, utcOrNull } from '../base/wording.ts'
import type { Invoice, Session } from '../model/documents.ts'

/** A fresh address of a receipt, and until when it holds. */
const receiptLink = (service: Service, receipt: string): { url: string; expiration: string } => {
  const lifetime = service.limit('receipt.linkLifetime')
  const until = service.policy.receiptLinkUntil(service.clock.now(), lifetime)
  const receiptId = `${receipt}.${signLink(service, 'receipt', receipt, until)}`
  return { url: addressOf(service, 'receipts.link', { receiptId }), expiration: utc(until) }
}

const common = (session: Session) => ({
  status: session.status,
  dateCreated: utc(session.openedAt),
  dateUpdated: utc(session.updatedAt),
  validUntil: utc(session.validUntil),
})

/** A counter as the dialect shows it: a number, null, or left out. */
const counter = ({ dialect: { counters } }: Service, session: Session, name: string, n: number) => {
  if (n === 0 && counters?.zeroAbsent?.includes(session.kind)) return {}
  const uncounted = session.kind === 'batch' && session.total === 0 && session.status.code > 200
  return { [name]: uncounted && counters?.uncountedNull === true ? null : n }
}

export const sessionStatusView = (service: Service, session: Session) => {
  const { receipts } = session
  const view = {
    ...common(session),
    ...counter(service, session, 'invoiceCount', session.total),
    ...counter(service, session, 'successfulInvoiceCount', session.accepted),
    ...counter(service, session, 'failedInvoiceCount', session.rejected),
  }
  if (receipts.length === 0) return view
  const pages = receipts.map((referenceNumber) => {
    const { url, expiration } = receiptLink(service, referenceNumber)
    return { referenceNumber, downloadUrl: url, downloadUrlExpirationDate: expiration }
  })
  return { ...view, upo: { pages } }
}

export const sessionItemView = (session: Session) => ({
  referenceNumber: session.referenceNumber,
  ...common(session),
  totalInvoiceCount: session.total,
  successfulInvoiceCount: session.accepted,
  failedInvoiceCount: session.rejected,
})

export const invoiceStatusView = (service: Service, invoice: Invoice) => {
  const { state } = service
  const session = state.sessions.get(invoice.session)
  const issued = invoice.svcNumber === undefined ? undefined : state.issued.get(invoice.svcNumber)
  const invoicingAt = session?.kind === 'batch' ? session.openedAt : invoice.receivedAt
  const link = issued && receiptLink(service, invoice.referenceNumber)
  const original = invoice.status.extensions
  return {
    referenceNumber: invoice.referenceNumber,
    sessionReferenceNumber: invoice.session,
    ordinalNumber: invoice.ordinal,
    invoiceNumber: invoice.number ?? null,
    svcNumber: issued?.svcNumber ?? null,
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
