/** Receipts from the memory of the service. The same receipt is the same bytes, whenever it is asked for. */

import type { Service } from '../call/service.ts'
import { parseCertificate } from '../base/certificate.ts'
import { refuse } from '../base/refusals.ts'
import type { Issued, ReceiptPage } from '../model/documents.ts'

const seal = (service: Service, text: string, at: number): Uint8Array => {
  const certificate = parseCertificate(Buffer.from(service.keys.seal.certificate, 'base64'))
  return service.policy.sealReceipt(text, service.keys.seal, certificate, at)
}

/** The receipt of one accepted invoice, sealed. */
export const invoiceReceipt = (service: Service, issued: Issued): Uint8Array => {
  const session = service.state.sessions.get(issued.session)
  if (session === undefined) throw refuse('receipt-unknown')
  return seal(service, service.policy.receiptText(session, [issued]), issued.acquiredAt)
}

/** One page of the aggregate receipt of a session, sealed. */
export const sessionReceipt = (service: Service, page: ReceiptPage): Uint8Array => {
  const session = service.state.sessions.get(page.session)
  if (session === undefined) throw refuse('receipt-unknown')
  const accepted = service.state.issued.by('session', page.session).slice(page.first - 1, page.last)
  return seal(service, service.policy.receiptText(session, accepted, page), page.at)
}
