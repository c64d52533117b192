/**
 * What happens to documents after the answer: verification, acceptance, the end of sessions. Driven by the clock of
 * the service alone. Source: specification, States and transitions; gaps session-states and invoice-states.
 */

import { statusOf } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import type { Service } from '../call/service.ts'
import type { Claim, Invoice, ReceiptPage, Session } from '../model/documents.ts'
import type { Admission } from './admit.ts'
import { admit } from './admit.ts'
import { changeSession, submissionOf } from './session.ts'
import type { Fault } from '../verification/verify.ts'
import { verify } from '../verification/verify.ts'

const setInvoice = ({ state, journal }: Service, invoice: Invoice): void => {
  state.invoices.put(invoice)
  const { referenceNumber, status } = invoice
  journal.add('state', { of: 'invoice', referenceNumber, code: status.code })
}

/** Ends an invoice in a state of failure; the counters of its session follow in the same step. */
export const failInvoice = (service: Service, session: Session, invoice: Invoice): void => {
  service.state.contents.delete(invoice.referenceNumber)
  setInvoice(service, invoice)
  changeSession(service, session, ({ rejected }) => ({ rejected: rejected + 1 }))
}

const rejectInvoice = (
  service: Service,
  session: Session,
  invoice: Invoice,
  { refusal, details: reasons, explanation, facts }: Fault,
  original?: Claim,
): void => {
  const { dialect, explain, journal } = service
  const { referenceNumber } = invoice
  const details = explain && explanation !== undefined ? [...reasons, explanation] : reasons
  const extensions = original && {
    originalSessionReferenceNumber: original.session,
    originalSvcNumber: original.svcNumber,
  }
  const number = facts?.number ?? ''
  journal.add('decision', { refusal, referenceNumber, details, explanation })
  failInvoice(service, session, {
    ...invoice,
    status: statusOf(refusal, dialect, details, extensions),
    ...(number.length > 0 && number.length <= 256 && { number }),
  })
}

/** Takes up one invoice, where its verification takes time. */
export const beginVerification = (service: Service, invoice: Invoice): void => {
  setInvoice(service, { ...invoice, status: reached('invoice', 150) })
  service.schedule.later('verification', invoice.referenceNumber, 0)
}

/** Verifies one invoice and accepts or rejects it; the counters of its session follow in the same step. */
export const processInvoice = (service: Service, session: Session, invoice: Invoice): void => {
  const { policy, state, verifier } = service
  const { referenceNumber } = invoice
  const content = state.contents.get(referenceNumber)
  if (content === undefined || invoice.status.code >= 200) return
  const submission = submissionOf(service, session, invoice, content)
  const verdict = verifier?.take(referenceNumber, submission) ?? verify(submission, policy)
  const admission: Admission =
    'fault' in verdict ? verdict : admit(service, session, invoice, verdict.verified)
  if ('issued' in admission) {
    const { facts, svcNumber } = admission.issued
    const status = reached('invoice', 200)
    setInvoice(service, { ...invoice, number: facts.number, svcNumber, status })
    changeSession(service, session, ({ accepted }) => ({ accepted: accepted + 1 }))
  } else {
    rejectInvoice(service, session, invoice, admission.fault, admission.original)
  }
}

/** Moves a session to its end once all of its documents have been processed. */
export const finishSession = (service: Service, { referenceNumber }: Session): void => {
  const session = service.state.sessions.get(referenceNumber)
  const code = session?.status.code
  if (session === undefined || (code !== 170 && code !== 150)) return
  const { kind, total, accepted, rejected } = session
  if (accepted + rejected < total) return
  const lifecycle = kind === 'online' ? 'onlineSession' : 'batchSession'
  if (total === 0)
    changeSession(service, session, { status: reached(lifecycle, 440, ['No invoice was sent']) })
  else if (accepted === 0) changeSession(service, session, { status: reached(lifecycle, 445) })
  else {
    const receipts = createPages(service, session)
    changeSession(service, session, { status: reached(lifecycle, 200), receipts })
  }
}

/** The pages of the aggregate receipt of a session, written when they are asked for. */
const createPages = (service: Service, session: Session): string[] => {
  const perPage = service.limit('receipt.documentsPerPage')
  const pages = Math.ceil(session.accepted / perPage)
  return Array.from({ length: pages }, (_, index) => {
    const first = index * perPage + 1
    const page: ReceiptPage = {
      referenceNumber: service.identifiers.reference('EU'),
      session: session.referenceNumber,
      page: index + 1,
      pages,
      first,
      last: Math.min(first + perPage - 1, session.accepted),
      documents: session.accepted,
      at: service.clock.now(),
    }
    service.state.receiptPages.put(page)
    return page.referenceNumber
  })
}

/** Closes an interactive session, by its caller or by time. */
export const closeOnline = (service: Service, session: Session): void => {
  const closedAt = service.clock.now()
  changeSession(service, session, { status: reached('onlineSession', 170), closedAt })
  service.schedule.later('session', session.referenceNumber, 0)
}
