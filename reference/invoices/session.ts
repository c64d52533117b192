/** The beginning of a session, and the arrival of a document in it. */

import type { SessionForm } from '../../contract/environments.ts'
import type { Instant } from '../base/instants.ts'
import type { Service } from '../call/service.ts'
import { sha256Base64 } from '../base/crypto.ts'
import type { Caller } from '../call/call.ts'
import type { Status } from '../base/refusals.ts'
import { reached } from '../base/wording.ts'
import type { AnnouncedPackage, Content, Invoice, LoginProof, Session } from '../model/documents.ts'
import type { Submission } from '../verification/verify.ts'

const proofOf = ({ authentication }: Caller): LoginProof =>
  authentication.token === undefined
    ? {
        document:
          authentication.documentDigest ??
          sha256Base64(Buffer.from(authentication.referenceNumber)),
      }
    : { token: authentication.token }

/**
 * Stores changes of a session.
 * @param changes of the session as it is now, whatever the caller's copy says
 * @returns the session as it was stored
 */
export const changeSession = (
  { state, journal, clock }: Service,
  session: Session,
  changes: Partial<Session> | ((now: Session) => Partial<Session>),
): Session => {
  const { referenceNumber } = session
  const known = state.sessions.get(referenceNumber) ?? session
  const given = typeof changes === 'function' ? changes(known) : changes
  const changed = { ...known, ...given, updatedAt: clock.now() }
  state.sessions.put(changed)
  if (given.status !== undefined) {
    journal.add('state', {
      of: changed.kind === 'online' ? 'onlineSession' : 'batchSession',
      referenceNumber,
      code: changed.status.code,
    })
  }
  return state.sessions.get(referenceNumber) ?? changed
}

/** A new session in its first state. */
export const beginSession = (
  service: Service,
  caller: Caller,
  given: {
    readonly kind: Session['kind']
    readonly schema: SessionForm
    readonly key: Uint8Array
    readonly iv: Uint8Array
    readonly wrappedKey: Uint8Array
    readonly validUntil: Instant
    readonly offline: boolean
    readonly package?: AnnouncedPackage
    /** How a session with an unusable key ends: an interactive one at once, a batch when it is processed. */
    readonly refused?: Status
  },
): Session => {
  const { refused, ...rest } = given
  const now = service.clock.now()
  const batch = given.kind === 'batch'
  service.verifier?.start()
  const begun: Session = {
    ...rest,
    ...(batch && refused && { refused }),
    referenceNumber: service.identifiers.reference(batch ? 'SB' : 'SO'),
    context: caller.context,
    subject: caller.subject,
    proof: proofOf(caller),
    openedAt: now,
    updatedAt: now,
    status: batch ? reached('batchSession', 100) : (refused ?? reached('onlineSession', 100)),
    total: 0,
    accepted: 0,
    rejected: 0,
    receipts: [],
  }
  return changeSession(service, begun, { status: begun.status })
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
    checkDigits: environment.nipChecksum,
  }
}

/** Adds a document to a session and has it processed. */
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
  const { total } = changeSession(service, session, (known) => ({ total: known.total + 1 }))
  const invoice: Invoice = {
    referenceNumber: identifiers.reference('EE'),
    session: session.referenceNumber,
    ordinal: total,
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
  const { verifier } = service
  service.schedule.later(
    'invoice',
    invoice.referenceNumber,
    0,
    // While the clock stands still, nothing may wait for another thread.
    verifier && !clock.isFrozen()
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
