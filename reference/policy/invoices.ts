/** Decisions about invoices: what is accepted for processing, what is valid, what is a duplicate, who may read. */

import { crc8 } from '../base/identifiers.ts'
import type { RefusalId } from '../../contract/errors.ts'
import { decryptAes, fromBase64, sha256Base64 } from '../base/crypto.ts'
import type { Instant } from '../base/instants.ts'
import type { Claim, Invoice, Issued, Session } from '../model/documents.ts'
import type { AttachmentConsent } from '../model/entities.ts'
import { isParty } from '../model/roles.ts'
import type { InvoiceFacts } from '../model/invoice-facts.ts'
import { dayOf } from '../base/identifiers.ts'
import { isNip, makeSvcNumber } from '../base/service-numbers.ts'
import { schemaFindings } from '../xml/schemas.ts'
import { discouragedCharacter, encodingFault } from '../xml/markup.ts'
import { formFindings } from './form-findings.ts'

/** How the seller of a document is related to the context that sends it. */
export interface SellerTies {
  /** Context and seller are the same taxpayer, or the context is a unit of the seller. */
  readonly own: boolean
  readonly selfInvoicing: boolean
  readonly taxRepresentative: boolean
  readonly groupMember: boolean
  readonly enforcement: boolean
  /** A Peppol provider that the seller authorized. */
  readonly provider: boolean
  /** The buyer of an invoice that the buyer issues by its form. */
  readonly issuingBuyer: boolean
}

/** An invoice whose seller, kind and number an earlier one has claimed. */
export interface Repeat {
  readonly held: Claim
  /** The session of the repeat. */
  readonly session: Session
  readonly now: Instant
}

/** How an invoice was sent. */
export interface Sending {
  /** Whether the sender declares that it was issued offline. */
  readonly declared: boolean
  /** Whether it was issued on a day before. */
  readonly issuedBefore: boolean
  readonly kind: 'online' | 'batch'
}

export const invoicesPolicy = {
  // invoices.submit.bad-base64: standard alphabet, padded, no line breaks
  readContent: fromBase64,
  // invoices.submit.encrypted-metadata-mismatch
  encryptedSizeMatches: (declared: number, bytes: Uint8Array): boolean => declared === bytes.length,
  // invoices.submit.encrypted-metadata-mismatch
  encryptedHashMatches: (declared: string, bytes: Uint8Array): boolean =>
    declared === sha256Base64(bytes),
  // invoices.submit.wrong-encryption
  decryptContent: decryptAes,
  // invoices.submit.size-mismatch
  plainSizeMatches: (declared: number, bytes: Uint8Array): boolean => declared === bytes.length,
  // invoices.submit.hash-mismatch
  plainHashMatches: (declared: string, bytes: Uint8Array): boolean =>
    declared === sha256Base64(bytes),
  // invoices.size.without-attachments
  plainInvoiceFits: (bytes: number, limit: number): boolean => bytes <= limit,
  // invoices.size.with-attachments
  attachmentInvoiceFits: (bytes: number, limit: number): boolean => bytes <= limit,
  // invoices.content.utf8-without-bom
  encodingFault,
  // invoices.content.utf8-without-bom: a declaration is optional, but it may name no other encoding
  declaredEncodingAccepted: (encoding: string | undefined): boolean =>
    encoding === undefined || encoding.toLowerCase() === 'utf-8',
  // invoices.content.invalid-rejected: XML 1.0, though parsers read documents that declare 1.1 as well
  xmlVersionAccepted: (version: string | undefined): boolean =>
    version === undefined || version === '1.0',
  // invoices.content.invalid-rejected: no document type, so no entities either
  doctypeAccepted: (present: boolean): boolean => !present,
  // invoices.content.invalid-rejected
  processingInstructionAccepted: (target: string | undefined): boolean => target === undefined,
  // invoices.content.invalid-rejected
  discouragedCharacter,
  // invoices.content.invalid-rejected
  schemaFindings,
  // invoices.content.issue-date: days are those of Europe/Warsaw
  dayOfAcceptance: dayOf,
  // invoices.content.issue-date: the day of issue may lie before the day of sending, not after it
  issueDateAccepted: (issueDate: string, today: string): boolean => issueDate.slice(0, 10) <= today,
  // invoices.content.check-digits: where the environment enforces them
  nipAccepted: (nip: string, enforced: boolean): boolean => !enforced || isNip(nip),
  // invoices.content.invalid-rejected: a context issues for itself, or for a seller that has tied itself to it
  sellerAllowed: (ties: SellerTies): boolean =>
    ties.own ||
    ties.selfInvoicing ||
    ties.taxRepresentative ||
    ties.groupMember ||
    ties.enforcement ||
    ties.provider ||
    ties.issuingBuyer,
  // invoices.content.further-forms
  formFindings,
  // invoices.collective.created: one seller
  sameSeller: (one: string, other: string): boolean => one === other,
  // invoices.collective.created: `NIP-IZYYYYMM-12HEX-CC`
  collectiveNumber: (nip: string, day: string, technical: Uint8Array): string => {
    const hex = Buffer.from(technical).toString('hex').toUpperCase()
    const body = `${nip}-IZ${day.slice(0, 7).replace('-', '')}-${hex}`
    return `${body}-${crc8(body)}`
  },
  // invoices.size.with-attachments: by batch, or as a technical correction
  attachmentPlaceAllowed: (session: 'online' | 'batch', correction: boolean): boolean =>
    session === 'batch' || correction,
  // invoices.size.with-attachments: given, and not revoked yet
  attachmentConsentSuffices: (consent: AttachmentConsent | undefined, at: Instant): boolean =>
    consent !== undefined && (consent.revokedAt === undefined || at < consent.revokedAt),

  // invoices.duplicate.triple
  tripleOf: ({ seller, kind, number }: InvoiceFacts): string =>
    JSON.stringify([seller.nip, kind, number]),
  // invoices.duplicate.rejected, invoices.duplicate.everywhere: by any sender, in any session
  // invoices.duplicate.race: even at the same instant; invoices.duplicate.ten-years
  claimHolds: ({ held, now }: Repeat): boolean => dayOf(now) <= held.until,
  // invoices.duplicate.ten-years: to the end of the tenth calendar year after that of the issue
  uniqueUntil: (issueDate: string): string => `${Number(issueDate.slice(0, 4)) + 10}-12-31`,
  // invoices.mode: declared so, or issued on a day before
  invoiceMode: ({ declared, issuedBefore }: Sending): 'Online' | 'Offline' =>
    declared || issuedBefore ? 'Offline' : 'Online',
  // invoices.correction: an invoice is corrected technically where it was rejected, and once
  correctionRefusal: (issued: Issued, hash: string): RefusalId | undefined =>
    issued.hash === hash
      ? 'correction-forbidden'
      : issued.corrects === hash
        ? 'correction-unavailable'
        : undefined,
  // invoices.correction: also while the first correction is in processing
  correctionUnderWay: ({ status, corrects }: Pick<Invoice, 'status' | 'corrects'>, hash: string) =>
    status.code < 200 && corrects === hash,
  // invoices.number.unique
  svcNumber: makeSvcNumber,

  // invoices.get.by-invoice-number
  numberMatches: (stored: string, asked: string): boolean => stored === asked,
  // invoices.get.by-invoice-number
  lookupAmbiguous: (matches: number): boolean => matches > 1,
  // invoices.get.parties-only: a role of the context on the invoice is needed
  mayReadInvoice: isParty,
  // invoices.status.outcome: a sender follows its documents, a party follows accepted invoices
  mayReadStatus: (sender: boolean, party: boolean): boolean => sender || party,
}
