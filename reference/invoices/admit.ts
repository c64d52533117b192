/**
 * Acceptance: what the service must remember to decide. One step without a pause, so that of two equal invoices at
 * the same moment exactly one is accepted. Source: specification, Resources and their fields > Invoice submission.
 */

import type { Service } from '../call/service.ts'
import type { ContextIdentifier, SubjectIdentifier } from '../model/entities.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import { dayOf } from '../base/identifiers.ts'
import type { SellerTies } from '../policy/invoices.ts'
import type { Claim, Invoice, Issued, Session } from '../model/documents.ts'
import type { InvoiceFacts } from '../model/invoice-facts.ts'
import { invoiceKinds } from '../model/invoice-facts.ts'
import type { Fault, Verified } from './verify.ts'

const authorizes = (
  service: Service,
  seller: string,
  context: ContextIdentifier,
  permission: string,
): boolean => {
  const subject: SubjectIdentifier =
    context.type === 'PeppolId'
      ? { type: 'PeppolId', value: context.value }
      : { type: 'Nip', value: nipOf(context) }
  return service.state.grants
    .by('context', keyOf({ type: 'Nip', value: seller }))
    .some(
      (grant) =>
        grant.permission === permission &&
        service.policy.authorizationHolds(grant.startsAt, grant.revokedAt, service.clock.now()) &&
        keyOf(grant.subject) === keyOf(subject),
    )
}

/** How the seller of a document is related to the context that sends it. */
const tiesOf = (
  service: Service,
  context: ContextIdentifier,
  { seller, buyer, kind, selfInvoicing, authorized }: InvoiceFacts,
): SellerTies => {
  const nip = nipOf(context)
  const group = service.state.subjects.get(seller.nip)
  const enforces = authorized?.role === 1 || authorized?.role === 2
  return {
    own: nip === seller.nip,
    provider:
      context.type === 'PeppolId' && authorizes(service, seller.nip, context, 'PefInvoicing'),
    issuingBuyer: invoiceKinds[kind].endsWith('Rr') && buyer.identifier.value === nip,
    selfInvoicing: selfInvoicing && authorizes(service, seller.nip, context, 'SelfInvoicing'),
    taxRepresentative:
      authorized?.role === 3 &&
      authorized.nip === nip &&
      authorizes(service, seller.nip, context, 'TaxRepresentative'),
    groupMember: group?.subunits.some((unit) => unit.nip === nip) === true,
    enforcement:
      enforces &&
      authorized.nip === nip &&
      (service.state.persons.get(nip)?.bailiff === true ||
        service.state.subjects.get(nip)?.type === 'EnforcementAuthority'),
  }
}

export type Admission =
  | { readonly issued: Issued }
  | { readonly fault: Fault; readonly original?: Claim }

/** Accepts a verified document under a new service number, or says why not. */
export const admit = (
  service: Service,
  session: Session,
  invoice: Invoice,
  { facts, plain }: Verified,
): Admission => {
  const { policy, state, clock } = service
  const now = clock.now()
  const seller = facts.seller.nip

  if (!policy.sellerAllowed(tiesOf(service, session.context, facts))) {
    const details = [`The context ${session.context.value} may not issue for the seller ${seller}`]
    return { fault: { refusal: 'seller-not-allowed', details, facts } }
  }
  if (facts.attachment) {
    if (!policy.attachmentPlaceAllowed(session.kind, invoice.corrects !== undefined)) {
      const details = ['An invoice with an attachment is sent by batch session']
      return { fault: { refusal: 'attachment-not-allowed', details, facts } }
    }
    if (!policy.attachmentConsentSuffices(state.consents.get(seller), now)) {
      const details = [`The seller ${seller} has not declared the sending of attachments`]
      return { fault: { refusal: 'seller-not-allowed', details, facts } }
    }
  }

  const held = state.claims.get(policy.tripleOf(facts))
  if (held !== undefined && policy.claimHolds(held, dayOf(now), session, now)) {
    const details = [`First accepted as ${held.svcNumber} in the session ${held.session}`]
    return { fault: { refusal: 'duplicate-invoice', details, facts }, original: held }
  }

  return { issued: issue(service, session, invoice, { facts, plain }) }
}

/** Gives a document its number and keeps it. */
const issue = (
  service: Service,
  session: Session,
  invoice: Invoice,
  { facts, plain }: Verified,
): Issued => {
  const { policy, state, clock, identifiers } = service
  const seller = facts.seller.nip
  const now = clock.now()
  const invoicingAt = session.kind === 'batch' ? session.openedAt : invoice.receivedAt
  const invoicingDay = dayOf(invoicingAt)
  let svcNumber: string
  do {
    svcNumber = policy.svcNumber(seller, invoicingDay, identifiers.bytes(6))
  } while (state.issued.get(svcNumber) !== undefined)

  const issued: Issued = {
    svcNumber,
    invoice: invoice.referenceNumber,
    session: session.referenceNumber,
    schema: session.schema,
    context: session.context,
    hash: invoice.hash,
    facts,
    mode: policy.invoiceMode(
      { declared: invoice.offline, kind: session.kind },
      facts.issueDate < invoicingDay,
    ),
    ...(invoice.corrects !== undefined && { corrects: invoice.corrects }),
    invoicingAt,
    acquiredAt: now,
    ...(service.schedule.prompt('storage') && { storedAt: now }),
  }
  state.claims.put({
    triple: policy.tripleOf(facts),
    svcNumber,
    session: session.referenceNumber,
    context: keyOf(session.context),
    at: now,
    until: policy.uniqueUntil(facts.issueDate),
  })
  state.issued.put(issued)
  if (!service.schedule.prompt('storage')) service.schedule.later('storage', svcNumber, 0)
  state.contents.put({
    invoice: invoice.referenceNumber,
    form: 'plain',
    declared: false,
    bytes: plain,
  })
  return issued
}
