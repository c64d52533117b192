/** Decisions about invoices: what is taken in, what is valid, what is a duplicate, who may read. */

import { decryptAes, fromBase64, sha256Base64 } from '../base/crypto.ts'
import type { Instant } from '../time/clock.ts'
import type { Claim, Session } from '../model/documents.ts'
import type { InvoiceFacts } from '../invoices/metadata.ts'
import { dayOf } from '../base/identifiers.ts'
import { isNip, makeSvcNumber } from '../base/service-numbers.ts'
import { schemaFindings } from '../xml/schemas.ts'
import { discouragedCharacter, encodingFault } from '../xml/markup.ts'

/** How the seller of a document stands to the context that sends it. */
export interface SellerTies {
  /** Context and seller are the same taxpayer, or the context is a unit of the seller. */
  readonly own: boolean
  readonly selfInvoicing: boolean
  readonly taxRepresentative: boolean
  readonly groupMember: boolean
  readonly enforcement: boolean
}

export const invoicesPolicy = {
  // invoices.submit.bad-base64: standard alphabet, padded, no line breaks
  readContent: fromBase64,
  // invoices.submit.encrypted-metadata-mismatch
  encryptedSizeMatches: (declared: number, bytes: Uint8Array): boolean => declared === bytes.length,
  // invoices.submit.encrypted-metadata-mismatch
  encryptedHashMatches: (declared: string, bytes: Uint8Array): boolean =>
    declared === sha256Base64(bytes),
  // invoices.submit.accepted: a reference of the document itself
  submissionReference: (referenceNumber: string): string => referenceNumber,
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
  // invoices.content.invalid-rejected: XML 1.0, though parsers read what calls itself 1.1 as well
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
  // invoices.content.unsigned: a document without a signature is a whole one
  invoiceNeedsSignature: (): boolean => false,
  // invoices.content.issue-date: days are those of Europe/Warsaw
  dayOfAcceptance: dayOf,
  // invoices.content.issue-date: the day of issue may lie before the day of sending, not after it
  issueDateAccepted: (issueDate: string, today: string): boolean => issueDate.slice(0, 10) <= today,
  // invoices.content.issue-date
  keptIssueDate: (issueDate: string, _today: string): string => issueDate,
  // invoices.content.check-digits: where the environment enforces them
  nipAccepted: (nip: string, enforced: boolean): boolean => !enforced || isNip(nip),
  // invoices.content.invalid-rejected: nobody issues in the name of a stranger
  sellerAllowed: (ties: SellerTies): boolean =>
    ties.own ||
    ties.selfInvoicing ||
    ties.taxRepresentative ||
    ties.groupMember ||
    ties.enforcement,
  // invoices.size.with-attachments: by batch, or as a technical correction
  attachmentPlaceAllowed: (session: 'online' | 'batch', correction: boolean): boolean =>
    session === 'batch' || correction,
  // invoices.size.with-attachments
  attachmentConsentSuffices: (consent: boolean): boolean => consent,

  // invoices.duplicate.triple
  tripleOf: ({ seller, kind, number }: InvoiceFacts): string =>
    JSON.stringify([seller.nip, kind, number]),
  // invoices.duplicate.rejected, invoices.duplicate.everywhere: whoever sent it, in whatever session
  // invoices.duplicate.race: even at the same instant
  holdsAgainst: (_held: Claim, _session: Session, _now: Instant): boolean => true,
  // invoices.duplicate.ten-years: to the end of the tenth calendar year after that of the issue
  uniqueUntil: (issueDate: string): string => `${Number(issueDate.slice(0, 4)) + 10}-12-31`,
  // invoices.duplicate.ten-years
  claimInForce: (until: string, today: string): boolean => today <= until,
  // invoices.mode: declared so, or issued on a day before
  invoiceMode: (
    { declared }: { readonly declared: boolean; readonly kind: 'online' | 'batch' },
    issuedBefore: boolean,
  ): 'Online' | 'Offline' => (declared || issuedBefore ? 'Offline' : 'Online'),
  // invoices.correction: of what was rejected, and once
  correctionAllowed: (_already: 'accepted' | 'corrected'): boolean => false,
  // invoices.rejected.may-be-resent: only an accepted invoice holds its triple
  rejectedHoldsTriple: (): boolean => false,
  // invoices.duplicate.points-to-original
  namesOriginal: (): boolean => true,
  // invoices.number.unique
  svcNumber: makeSvcNumber,
  // invoices.status.outcome: accepted means a number, and the status tells it
  shownSvcNumber: (svcNumber: string): string => svcNumber,
  // invoices.number.unique
  svcNumbersDiffer: (): boolean => true,
  // invoices.get.rejected-absent
  rejectedIsRetrievable: (): boolean => false,

  // invoices.get.by-service-number: byte for byte
  retrievedBytes: (stored: Uint8Array): Uint8Array => stored,
  // invoices.get.by-invoice-number
  numberMatches: (stored: string, asked: string): boolean => stored === asked,
  // invoices.get.by-invoice-number
  lookupAmbiguous: (matches: number): boolean => matches > 1,
  // invoices.get.parties-only: a role of the context on the invoice is needed
  mayReadInvoice: (party: boolean): boolean => party,
  // invoices.status.outcome: the sender follows its documents, a party those with a number
  mayReadStatus: (sender: boolean, party: boolean): boolean => sender || party,
  // invoices.status.session-reference
  statusNamesSession: (): boolean => true,
  // invoices.send.alternative
  plainSendAccepted: (): boolean => true,
}
