import { createDecipheriv } from 'node:crypto'
import { decryptAes } from '../base/crypto.ts'
import { crc8 } from '../base/identifiers.ts'
import type { Mutant } from './mutant.ts'
import { invoicesPolicy } from '../policy/invoices.ts'

/** What an implementation without a look at the padding makes of a content. */
const decryptUnpadded = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array) => {
  const plain = decryptAes(key, iv, bytes)
  if (plain !== undefined || bytes.length === 0 || bytes.length % 16 !== 0) return plain
  const raw = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false).update(bytes)
  let end = raw.length
  while (end > 0 && raw[end - 1] === 0) end--
  return raw.subarray(0, end)
}

/** Defects of invoices: what is taken in, what is valid, what is a duplicate, who reads. */
export const invoicesMutants = {
  'invoices.reference-malformed': {
    breaks: ['invoices.submit.accepted'],
    policy: { submissionReference: () => 'accepted' },
  },
  'invoices.hash-not-checked': {
    breaks: ['invoices.submit.hash-mismatch'],
    policy: { plainHashMatches: () => true },
  },
  'invoices.size-not-checked': {
    breaks: ['invoices.submit.size-mismatch'],
    policy: { plainSizeMatches: () => true },
  },
  'invoices.encrypted-hash-not-checked': {
    breaks: ['invoices.submit.encrypted-metadata-mismatch'],
    policy: { encryptedHashMatches: () => true },
  },
  'invoices.encrypted-size-not-checked': {
    breaks: ['invoices.submit.encrypted-metadata-mismatch'],
    policy: { encryptedSizeMatches: () => true },
  },
  'invoices.plain-content-accepted': {
    breaks: ['invoices.submit.wrong-encryption'],
    policy: {
      decryptContent: (key, iv, bytes) => decryptAes(key, iv, bytes) ?? Buffer.from(bytes),
    },
  },
  'invoices.padding-not-checked': {
    breaks: ['invoices.submit.wrong-encryption'],
    policy: { decryptContent: decryptUnpadded },
  },
  'invoices.loose-base64': {
    breaks: ['invoices.submit.bad-base64'],
    policy: {
      readContent: (text) => Buffer.from(text, 'base64'),
      violationsRefuse: () => false,
    },
  },
  'invoices.plain-size-unlimited': {
    breaks: ['invoices.size.without-attachments'],
    policy: { plainInvoiceFits: () => true },
  },
  'invoices.plain-size-a-byte-less': {
    breaks: ['invoices.size.without-attachments'],
    policy: { plainInvoiceFits: (bytes, limit) => bytes < limit },
  },
  'invoices.attachment-size-unlimited': {
    breaks: ['invoices.size.with-attachments'],
    policy: { attachmentInvoiceFits: () => true },
  },
  'invoices.attachment-consent-not-asked': {
    breaks: ['invoices.size.with-attachments'],
    policy: { attachmentConsentSuffices: () => true },
  },
  'invoices.attachments-anywhere': {
    breaks: ['invoices.size.with-attachments'],
    policy: { attachmentPlaceAllowed: () => true },
  },
  'invoices.schema-not-checked': {
    breaks: ['invoices.content.invalid-rejected'],
    policy: { schemaFindings: () => [] },
  },
  'invoices.form-of-the-document': {
    breaks: ['invoices.content.invalid-rejected'],
    policy: {
      schemaFindings: (document, xsd) => {
        const [one = [], other = []] = ['fa2.xsd', 'fa3.xsd'].map((file) =>
          invoicesPolicy.schemaFindings(document, file),
        )
        return one.length === 0 ? one : other.length === 0 ? other : [`not valid by ${xsd}`]
      },
    },
  },
  'invoices.check-digits-nowhere': {
    breaks: ['invoices.content.check-digits'],
    policy: { nipAccepted: () => true },
  },
  'invoices.check-digits-everywhere': {
    breaks: ['invoices.content.check-digits'],
    policy: { nipAccepted: (nip) => invoicesPolicy.nipAccepted(nip, true) },
  },
  'invoices.doctype-accepted': {
    breaks: ['invoices.content.invalid-rejected'],
    policy: { doctypeAccepted: () => true },
  },
  'invoices.xml-1-1-accepted': {
    breaks: ['invoices.content.invalid-rejected'],
    policy: { xmlVersionAccepted: () => true },
  },
  'invoices.bom-accepted': {
    breaks: ['invoices.content.utf8-without-bom'],
    policy: {
      encodingFault: (bytes) =>
        bytes[0] === 0xef ? undefined : invoicesPolicy.encodingFault(bytes),
      // Behind a mark, the declaration looks like an instruction.
      processingInstructionAccepted: (target) => target === undefined || target === 'xml',
    },
  },
  'invoices.any-encoding-accepted': {
    breaks: ['invoices.content.utf8-without-bom'],
    policy: {
      encodingFault: () => undefined,
      declaredEncodingAccepted: () => true,
    },
  },
  'invoices.signature-needed': {
    breaks: ['invoices.content.unsigned'],
    policy: { invoiceNeedsSignature: () => true },
  },
  'invoices.number-not-unique': {
    breaks: ['invoices.number.unique'],
    policy: {
      svcNumber: (nip, day) => invoicesPolicy.svcNumber(nip, day, new Uint8Array(6)),
      svcNumbersDiffer: () => false,
    },
  },
  'invoices.number-of-another-day': {
    breaks: ['invoices.number.unique'],
    policy: { svcNumber: (nip, _, bytes) => invoicesPolicy.svcNumber(nip, '2026-02-01', bytes) },
  },
  'invoices.duplicates-accepted': {
    breaks: ['invoices.duplicate.rejected'],
    policy: { holdsAgainst: () => false },
  },
  'invoices.duplicate-without-seller': {
    breaks: ['invoices.duplicate.triple'],
    policy: { tripleOf: ({ kind, number }) => JSON.stringify([kind, number]) },
  },
  'invoices.duplicate-without-kind': {
    breaks: ['invoices.duplicate.triple'],
    policy: { tripleOf: ({ seller, number }) => JSON.stringify([seller.nip, number]) },
  },
  'invoices.duplicate-by-letters-and-digits': {
    breaks: ['invoices.duplicate.triple'],
    policy: {
      tripleOf: ({ seller, kind, number }) =>
        JSON.stringify([seller.nip, kind, number.replaceAll(/[^A-Za-z0-9]/g, '')]),
    },
  },
  'invoices.duplicate-within-session-only': {
    breaks: ['invoices.duplicate.everywhere'],
    policy: { holdsAgainst: (held, session) => held.session === session.referenceNumber },
  },
  'invoices.duplicate-within-context-only': {
    breaks: ['invoices.duplicate.everywhere'],
    policy: {
      holdsAgainst: (held, { context }) => held.context === `${context.type}:${context.value}`,
    },
  },
  'invoices.duplicate-ten-days': {
    breaks: ['invoices.duplicate.ten-years'],
    policy: {
      uniqueUntil: (day) => new Date(Date.parse(day) + 10 * 86_400_000).toISOString().slice(0, 10),
    },
  },
  'invoices.duplicate-to-the-day': {
    breaks: ['invoices.duplicate.ten-years'],
    policy: { uniqueUntil: (day) => `${Number(day.slice(0, 4)) + 10}${day.slice(4)}` },
  },
  'invoices.duplicate-for-ever': {
    breaks: ['invoices.duplicate.ten-years'],
    policy: { claimInForce: () => true },
  },
  'invoices.rejected-holds-triple': {
    breaks: ['invoices.rejected.may-be-resent'],
    policy: { rejectedHoldsTriple: () => true },
  },
  'invoices.duplicate-race': {
    breaks: ['invoices.duplicate.race'],
    policy: { holdsAgainst: (held, _session, now) => now - held.at > 250 },
  },
  'invoices.rejection-spreads': {
    breaks: ['invoices.rejected.isolated'],
    policy: { rejectionStops: () => true },
  },
  'invoices.plain-send-missing': {
    breaks: ['invoices.send.alternative'],
    policy: { plainSendAccepted: () => false },
  },
  'invoices.duplicate-without-original': {
    breaks: ['invoices.duplicate.points-to-original'],
    policy: { namesOriginal: () => false },
  },
  'invoices.issue-date-is-day-of-sending': {
    breaks: ['invoices.content.issue-date'],
    policy: { keptIssueDate: (_issueDate, today) => today },
  },
  'invoices.days-of-greenwich': {
    breaks: ['invoices.content.issue-date'],
    policy: { dayOfAcceptance: (instant) => new Date(instant).toISOString().slice(0, 10) },
  },
  'invoices.issued-tomorrow-accepted': {
    breaks: ['invoices.content.issue-date', 'invoices.content.invalid-rejected'],
    policy: { issueDateAccepted: () => true },
  },
  'invoices.retrieved-reformatted': {
    breaks: ['invoices.get.by-service-number'],
    policy: {
      retrievedBytes: (stored) => Buffer.from(`${Buffer.from(stored).toString().trimEnd()}\n\n`),
    },
  },
  'invoices.not-found-by-number': {
    breaks: ['invoices.get.by-invoice-number'],
    policy: { numberMatches: () => false },
  },
  'invoices.first-of-several': {
    breaks: ['invoices.get.by-invoice-number'],
    policy: { lookupAmbiguous: () => false },
  },
  'invoices.number-with-wrong-check-value': {
    breaks: ['invoices.status.outcome'],
    policy: {
      shownSvcNumber: (svcNumber) =>
        `${svcNumber.slice(0, -2)}${((Number.parseInt(crc8(svcNumber.slice(0, -3)), 16) + 1) % 256)
          .toString(16)
          .toUpperCase()
          .padStart(2, '0')}`,
    },
  },
  'invoices.status-for-nobody': {
    breaks: ['invoices.status.outcome'],
    policy: { mayReadStatus: () => false },
  },
  'invoices.status-without-session': {
    breaks: ['invoices.status.session-reference'],
    policy: { statusNamesSession: () => false },
  },
  'invoices.read-by-anyone': {
    breaks: ['invoices.get.parties-only'],
    policy: { mayReadInvoice: () => true },
  },
  'invoices.always-online': {
    breaks: ['invoices.mode'],
    policy: { invoiceMode: () => 'Online' },
  },
  'invoices.offline-by-declaration-only': {
    breaks: ['invoices.mode'],
    policy: { invoiceMode: ({ declared }) => (declared ? 'Offline' : 'Online') },
  },
  'invoices.offline-by-date-only': {
    breaks: ['invoices.mode'],
    policy: { invoiceMode: (_, issuedBefore) => (issuedBefore ? 'Offline' : 'Online') },
  },
  'invoices.offline-package-forgotten': {
    breaks: ['invoices.mode'],
    policy: {
      invoiceMode: ({ declared, kind }, issuedBefore) =>
        invoicesPolicy.invoiceMode({ declared: declared && kind === 'online', kind }, issuedBefore),
    },
  },
  'invoices.corrected-again': {
    breaks: ['invoices.correction'],
    policy: { correctionAllowed: (already) => already === 'corrected' },
  },
  'invoices.accepted-corrected': {
    breaks: ['invoices.correction'],
    policy: { correctionAllowed: (already) => already === 'accepted' },
  },
  'invoices.rejected-retrievable': {
    breaks: ['invoices.get.rejected-absent'],
    policy: { rejectedIsRetrievable: () => true },
  },
} as const satisfies Record<string, Mutant>
