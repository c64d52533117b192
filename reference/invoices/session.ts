/** The beginning of a session, and the arrival of a document in it. */

import type { InvoiceSchemaId } from '../../contract/environments.ts'
import type { Instant } from '../clock.ts'
import type { Service } from '../context.ts'
import { sha256Base64 } from '../crypto.ts'
import type { Caller } from '../handler.ts'
import type { Status } from '../refusals.ts'
import { reached } from '../wording.ts'
import type { AnnouncedPackage, Invoice, LoginProof, Session } from './entities.ts'

const proofOf = ({ authentication }: Caller): LoginProof =>
  authentication.token === undefined
    ? {
        document:
          authentication.documentDigest ??
          sha256Base64(Buffer.from(authentication.referenceNumber)),
      }
    : { token: authentication.token }

/** A new session in its first state; the caller of this stores it. */
export const beginSession = (
  service: Service,
  caller: Caller,
  given: {
    readonly kind: Session['kind']
    readonly schema: InvoiceSchemaId
    readonly key: Uint8Array
    readonly iv: Uint8Array
    readonly wrappedKey: Uint8Array
    readonly validUntil: Instant
    readonly offline: boolean
    readonly package?: AnnouncedPackage
    /** The state to end in at once, instead of being open. */
    readonly refused?: Status
  },
): Session => {
  const { refused, ...rest } = given
  const now = service.clock.now()
  const batch = given.kind === 'batch'
  return {
    ...rest,
    referenceNumber: service.identifiers.reference(batch ? 'SB' : 'SO'),
    context: caller.context,
    subject: caller.subject,
    proof: proofOf(caller),
    openedAt: now,
    updatedAt: now,
    status: refused ?? reached(batch ? 'batchSession' : 'onlineSession', 100),
    total: 0,
    accepted: 0,
    rejected: 0,
    receipts: [],
  }
}

/** Takes a document into a session and has it processed. */
export const receiveInvoice = (
  service: Service,
  session: Session,
  given: {
    readonly bytes: Uint8Array
    readonly form: 'encrypted' | 'plain'
    /** Of the plain document, where the caller declared them. */
    readonly declared?: { readonly hash: string; readonly size: number }
    readonly fileName?: string
    readonly offline: boolean
    readonly corrects?: string
  },
): Invoice => {
  const { state, clock, identifiers } = service
  const { bytes, form, declared, ...more } = given
  const invoice: Invoice = {
    ...more,
    referenceNumber: identifiers.reference('EE'),
    session: session.referenceNumber,
    ordinal: ++session.total,
    receivedAt: clock.now(),
    hash: declared?.hash ?? sha256Base64(bytes),
    size: declared?.size ?? bytes.length,
    status: reached('invoice', 100),
  }
  state.contents.put({
    invoice: invoice.referenceNumber,
    form,
    declared: declared !== undefined,
    bytes,
  })
  state.invoices.put(invoice)
  session.updatedAt = clock.now()
  state.sessions.put(session)
  service.schedule.later('invoice', invoice.referenceNumber, 0)
  return invoice
}
