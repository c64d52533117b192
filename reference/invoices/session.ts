/** The beginning of a session, and the arrival of a document in it. */

import type { InvoiceSchemaId } from '../../contract/environments.ts'
import { environments } from '../../contract/environments.ts'
import type { Instant } from '../time/clock.ts'
import type { Service } from '../call/service.ts'
import { sha256Base64 } from '../base/crypto.ts'
import type { Caller } from '../call/call.ts'
import { policy as plainPolicy } from '../policy/policy.ts'
import type { Status } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import type { AnnouncedPackage, Content, Invoice, LoginProof, Session } from '../model/documents.ts'
import type { Submission } from './verify.ts'

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
  service.verifier?.start()
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

/** A document as it is verified, on the terms in force now. */
export const submissionOf = (
  { limits, environment, clock, policy }: Service,
  session: Session,
  invoice: Invoice,
  content: Content,
): Submission => {
  const bounds = limits.session(session.context)
  return {
    content: content.bytes,
    ...(content.form === 'encrypted' && {
      encryption: { key: session.key, iv: session.iv, wrappedKey: session.wrappedKey },
    }),
    ...(content.declared && {
      declared: { hash: invoice.hash, size: invoice.size },
    }),
    schema: session.schema,
    limits: policy.sessionBounds(bounds, session.kind),
    today: policy.dayOfAcceptance(clock.now()),
    checkDigits: environments[environment.id].nipChecksum,
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
  const { bytes, form, declared, fileName, offline, corrects } = given
  const invoice: Invoice = {
    referenceNumber: identifiers.reference('EE'),
    session: session.referenceNumber,
    ordinal: ++session.total,
    receivedAt: clock.now(),
    hash: declared?.hash ?? sha256Base64(bytes),
    size: declared?.size ?? bytes.length,
    status: reached('invoice', 100),
    offline,
    ...(fileName !== undefined && { fileName }),
    ...(corrects !== undefined && { corrects }),
  }
  const content: Content = {
    invoice: invoice.referenceNumber,
    form,
    declared: declared !== undefined,
    bytes,
  }
  state.contents.put(content)
  state.invoices.put(invoice)
  session.updatedAt = clock.now()
  state.sessions.put(session)
  const { verifier } = service
  service.schedule.later(
    'invoice',
    invoice.referenceNumber,
    0,
    // Defects that are installed are in force on this thread alone, and a clock that stands waits for nobody.
    verifier && service.policy === plainPolicy && !clock.isFrozen()
      ? (ready) =>
          verifier.begin(
            invoice.referenceNumber,
            submissionOf(service, session, invoice, content),
            ready,
          )
      : undefined,
  )
  return invoice
}
