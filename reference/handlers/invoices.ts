import type { Service } from '../call/service.ts'
import { keyOf } from '../model/entities.ts'
import type { Answer, Caller, Handlers } from '../call/call.ts'
import { collectiveHandlers } from './collective.ts'
import { dayOf } from '../base/identifiers.ts'
import { invoiceSchemas } from '../../contract/environments.ts'
import { invoiceIn, issuedFor, sessionForWriting } from '../invoices/access.ts'
import type { Issued, Session } from '../model/documents.ts'
import { normalSvcNumber } from '../base/service-numbers.ts'
import { isParty, rolesIn } from '../model/roles.ts'
import { beginSession, receiveInvoice } from '../invoices/session.ts'
import { invoiceStatusView } from '../invoices/views.ts'
import { closeOnline } from '../invoices/processing.ts'
import { sha256Base64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'

/** @throws refusals correction-forbidden, correction-unavailable */
const checkCorrection = (service: Service, caller: Caller, hash: string): void => {
  for (const issued of service.state.issued.values()) {
    if (keyOf(issued.context) !== keyOf(caller.context)) continue
    const refusal = service.policy.correctionRefusal(issued, hash)
    if (refusal !== undefined) throw refuse(refusal, issued.svcNumber)
  }
  for (const pending of service.state.invoices.values()) {
    const session = service.state.sessions.get(pending.session)
    if (session === undefined || keyOf(session.context) !== keyOf(caller.context)) continue
    if (service.policy.correctionUnderWay(pending, hash))
      throw refuse('correction-unavailable', pending.referenceNumber)
  }
}

/** The document as it was sent. */
const documentOf = (service: Service, issued: Issued): Answer => {
  const content = service.state.contents.get(issued.invoice)
  if (issued.storedAt === undefined || content === undefined) throw refuse('invoice-not-yet-stored')
  const { bytes } = content
  return { bytes, headers: { 'x-ms-meta-hash': sha256Base64(bytes) } }
}

/** Handlers of invoices. Source: specification, Endpoints > Sessions; Invoices, operations and others. */
export const invoicesHandlers = {
  'invoices.submit': ({ service, caller, path, body }) => {
    const { policy, limits } = service
    const session = sessionForWriting(service, caller, path.referenceNumber, 'online')
    if (!policy.sessionTakesInvoices(session.status.code))
      throw refuse('session-state-forbids', `The session is in state ${session.status.code}`)
    const { maxInvoices } = policy.sessionBounds(limits.session(session.context), 'online')
    if (!policy.sessionHasRoom(session.total, maxInvoices))
      throw refuse('session-full', `The session holds ${session.total} of ${maxInvoices} invoices`)
    const content = policy.readContent(body.encryptedInvoiceContent)
    if (content === undefined) throw refuse('content-not-base64')
    if (!policy.encryptedSizeMatches(body.encryptedInvoiceSize, content)) {
      throw refuse(
        'encrypted-size-mismatch',
        `The content has ${content.length} bytes, ${body.encryptedInvoiceSize} were declared`,
      )
    }
    if (!policy.encryptedHashMatches(body.encryptedInvoiceHash, content))
      throw refuse('encrypted-hash-mismatch')
    const corrects = body.hashOfCorrectedInvoice ?? undefined
    if (corrects !== undefined) checkCorrection(service, caller, corrects)
    const invoice = receiveInvoice(service, session, {
      bytes: content,
      form: 'encrypted',
      declared: { hash: body.invoiceHash, size: body.invoiceSize },
      offline: body.offlineMode ?? false,
      ...(corrects !== undefined && { corrects }),
    })
    return { body: { referenceNumber: invoice.referenceNumber } }
  },

  'invoices.inSession': ({ service, caller, path }) => ({
    body: invoiceStatusView(
      service,
      invoiceIn(service, caller, path.referenceNumber, path.invoiceReferenceNumber),
    ),
  }),

  'invoices.send': ({ service, caller, bytes, now }) => {
    if (bytes.length === 0) throw refuse('invalid-input', 'The body is empty')
    const today = dayOf(now)
    const row = Object.values(invoiceSchemas).find((one) =>
      service.policy.schemaInForce(one, today),
    )
    const session: Session = beginSession(service, caller, {
      kind: 'online',
      schema: row?.id ?? 'fa3',
      key: new Uint8Array(),
      iv: new Uint8Array(),
      wrappedKey: new Uint8Array(),
      validUntil: now,
      offline: false,
    })
    const invoice = receiveInvoice(service, session, { bytes, form: 'plain', offline: false })
    closeOnline(service, session)
    return {
      body: {
        referenceNumber: invoice.referenceNumber,
        sessionReferenceNumber: session.referenceNumber,
      },
    }
  },

  'invoices.byNumber': ({ service, caller, path }) => {
    const { policy, state } = service
    const found = [...state.issued.by('number', path.invoiceNumber)].filter(
      (issued) =>
        policy.numberMatches(issued.facts.number, path.invoiceNumber) &&
        policy.mayReadInvoice(rolesIn(caller.context, issued)),
    )
    const [first] = found
    if (first === undefined) throw refuse('invoice-unknown')
    if (policy.lookupAmbiguous(found.length))
      throw refuse('invoice-number-ambiguous', `${found.length} invoices have this number`)
    return documentOf(service, first)
  },

  'invoices.bySvcNumber': ({ service, caller, path }) =>
    documentOf(service, issuedFor(service, caller, path.svcNumber)),

  'invoices.status': ({ service, caller, path }) => {
    const { state, policy } = service
    const numbered = state.issued.get(normalSvcNumber(path.invoiceId) ?? '')
    const invoice = state.invoices.get(numbered?.invoice ?? path.invoiceId)
    const session = invoice && state.sessions.get(invoice.session)
    if (invoice === undefined || session === undefined) throw refuse('invoice-unknown')
    const issued = invoice.svcNumber === undefined ? undefined : state.issued.get(invoice.svcNumber)
    const sender = keyOf(session.context) === keyOf(caller.context)
    const party = issued !== undefined && isParty(rolesIn(caller.context, issued))
    if (!policy.mayReadStatus(sender, party)) throw refuse('invoice-unknown')
    return { body: invoiceStatusView(service, invoice) }
  },

  'invoices.statusBySvcNumber': ({ service, caller, path }) => {
    const issued = issuedFor(service, caller, path.svcNumber)
    const invoice = service.state.invoices.get(issued.invoice)
    if (invoice === undefined) throw refuse('invoice-unknown')
    return { body: invoiceStatusView(service, invoice) }
  },
  ...collectiveHandlers,
} satisfies Handlers<'invoices'>
