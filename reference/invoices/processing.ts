/**
 * What happens to documents after the answer: verification, acceptance, the end of sessions, exports. Driven by the
 * clock of the service alone. Source: specification, States and transitions; gaps session-states and invoice-states.
 */

import type { RefusalId } from '../../contract/errors.ts'
import type { Service } from '../call/service.ts'
import { admit, issue } from './admit.ts'
import type { Claim, Invoice, ReceiptPage, Session } from '../model/documents.ts'
import { submissionOf } from './session.ts'
import type { Fault } from './verify.ts'
import { verify } from './verify.ts'
import { statusOf } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'

const decide = (service: Service, refusal: RefusalId, fields: Record<string, unknown>): void =>
  service.journal.add('decision', { refusal, ...fields })

const setInvoice = (service: Service, invoice: Invoice): void => {
  service.state.invoices.put(invoice)
  service.journal.add('state', {
    of: 'invoice',
    referenceNumber: invoice.referenceNumber,
    code: invoice.status.code,
  })
}

export const setSession = (service: Service, session: Session): void => {
  session.updatedAt = service.clock.now()
  service.state.sessions.put(session)
  service.journal.add('state', {
    of: session.kind === 'online' ? 'onlineSession' : 'batchSession',
    referenceNumber: session.referenceNumber,
    code: session.status.code,
  })
}

const rejectInvoice = (
  service: Service,
  session: Session,
  invoice: Invoice,
  fault: Fault,
  original?: Claim,
): void => {
  const { policy, state, dialect, explain, clock } = service
  const details = [
    ...fault.details,
    ...(explain && fault.explanation !== undefined ? [fault.explanation] : []),
  ]
  const extensions =
    original === undefined || !policy.namesOriginal()
      ? undefined
      : {
          originalSessionReferenceNumber: original.session,
          originalSvcNumber: original.svcNumber,
        }
  invoice.status = statusOf(fault.refusal, dialect, details, extensions)
  const number = fault.facts?.number ?? ''
  if (number.length > 0 && number.length <= 256) invoice.number = number
  if (policy.rejectedIsRetrievable() && fault.facts !== undefined && original === undefined) {
    const plain = fault.plain ?? new Uint8Array()
    const { svcNumber } = issue(service, session, invoice, { facts: fault.facts, plain })
    invoice.svcNumber = svcNumber
  } else state.contents.delete(invoice.referenceNumber)
  if (policy.rejectedHoldsTriple() && fault.facts !== undefined && original === undefined) {
    state.claims.put({
      triple: policy.tripleOf(fault.facts),
      svcNumber: '',
      session: session.referenceNumber,
      context: '',
      at: clock.now(),
      until: '9999-12-31',
    })
  }
  decide(service, fault.refusal, {
    referenceNumber: invoice.referenceNumber,
    details,
    explanation: fault.explanation,
  })
  session.rejected++
  setInvoice(service, invoice)
}

/** Verifies one invoice and accepts or rejects it; the counters of its session follow in the same step. */
export const processInvoice = (service: Service, session: Session, invoice: Invoice): void => {
  const { policy, state, clock } = service
  const content = state.contents.get(invoice.referenceNumber)
  if (content === undefined || invoice.status.code >= 200) return
  if (session.rejected > 0 && policy.rejectionStops(session)) {
    rejectInvoice(service, session, invoice, { refusal: 'session-cancelled', details: [] })
    return
  }
  const submission = submissionOf(service, session, invoice, content)
  const verdict =
    service.verifier?.take(invoice.referenceNumber, submission) ?? verify(submission, policy)
  if ('fault' in verdict) rejectInvoice(service, session, invoice, verdict.fault)
  else {
    const admission = admit(service, session, invoice, verdict.verified)
    if ('fault' in admission) {
      rejectInvoice(service, session, invoice, admission.fault, admission.original)
    } else {
      invoice.number = admission.issued.facts.number
      invoice.svcNumber = admission.issued.svcNumber
      invoice.status = reached('invoice', 200)
      session.accepted++
      setInvoice(service, invoice)
    }
  }
  session.updatedAt = clock.now()
  state.sessions.put(session)
}

/** Moves a session to its end once nothing of it is being processed. */
export const finishSession = (service: Service, session: Session): void => {
  const { policy } = service
  const { code } = session.status
  const lifecycle = session.kind === 'online' ? 'onlineSession' : 'batchSession'
  if (code !== 170 && code !== 150) return
  if (session.accepted + session.rejected < session.total) return
  if (session.total === 0) session.status = reached(lifecycle, 440, ['No invoice was sent'])
  else if (session.accepted === 0) session.status = reached(lifecycle, 445)
  else {
    session.status = reached(lifecycle, 200)
    if (policy.receiptIsDue(200)) session.receipts = makePages(service, session)
  }
  setSession(service, session)
}

/** The pages of the aggregate receipt of a session, written when they are asked for. */
const makePages = (service: Service, session: Session): string[] => {
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
  session.status = reached('onlineSession', 170)
  session.closedAt = service.clock.now()
  setSession(service, session)
  service.schedule.later('session', session.referenceNumber, 0)
}
