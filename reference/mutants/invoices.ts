import { createDecipheriv } from 'node:crypto'
import type { RefusalId } from '../../contract/errors.ts'
import { decryptAes } from '../base/crypto.ts'
import { crc8, dayOf } from '../base/identifiers.ts'
import { makeSvcNumber } from '../base/service-numbers.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import { invoicesPolicy } from '../policy/invoices.ts'
import type { Policy } from '../policy/policy.ts'
import { sessionsPolicy } from '../policy/sessions.ts'
import type { Mutant } from './mutant.ts'
import { stopsAfter } from './rejections.ts'
import { bodies, refuses } from './rewrite.ts'
import { statuses } from './statuses.ts'

/** Defects of invoices: what is accepted for processing, what is valid, what is a duplicate, who reads. */

/** How an implementation decrypts that does not check the padding. */
const decryptUnpadded = (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array) => {
  const plain = decryptAes(key, iv, bytes)
  if (plain !== undefined || bytes.length === 0 || bytes.length % 16 !== 0) return plain
  const raw = createDecipheriv('aes-256-cbc', key, iv).setAutoPadding(false).update(bytes)
  let end = raw.length
  while (end > 0 && raw[end - 1] === 0) end--
  return raw.subarray(0, end)
}

const withWrongCheckValue = (svcNumber: string): string => {
  const right = Number.parseInt(crc8(svcNumber.slice(0, -3)), 16)
  const wrong = ((right + 1) % 256).toString(16).toUpperCase().padStart(2, '0')
  return svcNumber.slice(0, -2) + wrong
}

const correctionUnless =
  (allowed: RefusalId): Policy['correctionRefusal'] =>
  (issued, hash) => {
    const refusal = invoicesPolicy.correctionRefusal(issued, hash)
    return refusal === allowed ? undefined : refusal
  }

export const invoicesMutants = {
  'invoices.submit.accepted/reference-malformed': bodies(['invoices.submit'], {
    referenceNumber: 'accepted',
  }),
  'invoices.submit.hash-mismatch/hash-not-checked': {
    policy: { plainHashMatches: () => true },
  },
  'invoices.submit.size-mismatch/size-not-checked': {
    policy: { plainSizeMatches: () => true },
  },
  'invoices.submit.encrypted-metadata-mismatch/encrypted-hash-not-checked': {
    policy: { encryptedHashMatches: () => true },
  },
  'invoices.submit.encrypted-metadata-mismatch/encrypted-size-not-checked': {
    policy: { encryptedSizeMatches: () => true },
  },
  'invoices.submit.wrong-encryption/plain-content-accepted': {
    policy: {
      decryptContent: (key, iv, bytes) => decryptAes(key, iv, bytes) ?? Buffer.from(bytes),
    },
  },
  'invoices.submit.wrong-encryption/padding-not-checked': {
    policy: { decryptContent: decryptUnpadded },
  },
  'invoices.submit.bad-base64/loose-base64': {
    policy: {
      readContent: (text) => Buffer.from(text, 'base64'),
      violationsRefuse: () => false,
    },
  },
  'invoices.size.without-attachments/plain-size-unlimited': {
    policy: { plainInvoiceFits: () => true },
  },
  'invoices.size.without-attachments/plain-size-a-byte-less': {
    policy: { plainInvoiceFits: (bytes, limit) => bytes < limit },
  },
  'invoices.size.with-attachments/attachment-size-unlimited': {
    policy: { attachmentInvoiceFits: () => true },
  },
  'invoices.size.with-attachments/attachment-consent-not-asked': {
    policy: { attachmentConsentSuffices: () => true },
  },
  'invoices.size.with-attachments/attachments-anywhere': {
    policy: { attachmentPlaceAllowed: () => true },
  },
  'invoices.content.invalid-rejected/schema-not-checked': {
    policy: { schemaFindings: () => [] },
  },
  'invoices.content.invalid-rejected/form-of-the-document': {
    policy: {
      schemaFindings: (document, xsd) => {
        const [one = [], other = []] = ['fa2.xsd', 'fa3.xsd'].map((file) =>
          invoicesPolicy.schemaFindings(document, file),
        )
        return one.length === 0 ? one : other.length === 0 ? other : [`not valid by ${xsd}`]
      },
    },
  },
  'invoices.content.check-digits/check-digits-nowhere': {
    policy: { nipAccepted: () => true },
  },
  'invoices.content.check-digits/check-digits-everywhere': {
    policy: { nipAccepted: (nip) => invoicesPolicy.nipAccepted(nip, true) },
  },
  'invoices.content.invalid-rejected/fetches-what-is-named': {
    policy: {
      plainHashMatches(declared, bytes) {
        const named = Buffer.from(bytes)
          .toString()
          .matchAll(/SYSTEM "(http[^"]+)"/g)
        for (const [, url = ''] of named) void fetch(url).catch(() => undefined)
        return invoicesPolicy.plainHashMatches(declared, bytes)
      },
    },
  },
  'invoices.content.invalid-rejected/doctype-accepted': {
    policy: { doctypeAccepted: () => true },
  },
  'invoices.content.invalid-rejected/xml-1-1-accepted': {
    policy: { xmlVersionAccepted: () => true },
  },
  'invoices.content.utf8-without-bom/bom-accepted': {
    policy: {
      encodingFault: (bytes) =>
        bytes[0] === 0xef ? undefined : invoicesPolicy.encodingFault(bytes),
      // Behind a mark, the declaration looks like an instruction.
      processingInstructionAccepted: (target) => target === undefined || target === 'xml',
    },
  },
  'invoices.content.utf8-without-bom/any-encoding-accepted': {
    policy: {
      encodingFault: () => undefined,
      declaredEncodingAccepted: () => true,
    },
  },
  'invoices.content.unsigned/signature-needed': {
    policy: { schemaFindings: () => ['The document has no signature'] },
  },
  'invoices.number.unique/number-not-unique': statuses(({ svcNumber }) =>
    svcNumber === null
      ? {}
      : {
          svcNumber: makeSvcNumber(
            svcNumber.slice(0, 10),
            svcNumber.slice(11, 19),
            new Uint8Array(6),
          ),
        },
  ),
  'invoices.number.unique/number-of-another-day': {
    policy: { svcNumber: (nip, _, bytes) => invoicesPolicy.svcNumber(nip, '2026-02-01', bytes) },
  },
  'invoices.duplicate.rejected/duplicates-accepted': {
    policy: { claimHolds: () => false },
  },
  'invoices.duplicate.triple/duplicate-without-seller': {
    policy: { tripleOf: ({ kind, number }) => JSON.stringify([kind, number]) },
  },
  'invoices.duplicate.triple/duplicate-without-kind': {
    policy: { tripleOf: ({ seller, number }) => JSON.stringify([seller.nip, number]) },
  },
  'invoices.duplicate.triple/duplicate-by-letters-and-digits': {
    policy: {
      tripleOf: ({ seller, kind, number }) =>
        JSON.stringify([seller.nip, kind, number.replaceAll(/[^A-Za-z0-9]/g, '')]),
    },
  },
  'invoices.duplicate.everywhere/duplicate-within-session-only': {
    policy: { claimHolds: (held, _today, session) => held.session === session.referenceNumber },
  },
  'invoices.duplicate.everywhere/duplicate-within-context-only': {
    policy: { claimHolds: (held, _today, { context }) => held.context === keyOf(context) },
  },
  'invoices.duplicate.ten-years/duplicate-ten-days': {
    policy: {
      uniqueUntil: (day) => new Date(Date.parse(day) + 10 * 86_400_000).toISOString().slice(0, 10),
    },
  },
  'invoices.duplicate.ten-years/duplicate-to-the-day': {
    policy: { uniqueUntil: (day) => `${Number(day.slice(0, 4)) + 10}${day.slice(4)}` },
  },
  'invoices.duplicate.ten-years/duplicate-for-ever': {
    policy: { claimHolds: () => true },
  },
  'invoices.rejected.may-be-resent/rejected-holds-triple': {
    tables: {
      invoices: {
        write(next, _before, { claims, sessions }) {
          const session = sessions.get(next.session)
          if (next.status.code >= 400 && next.number !== undefined && session !== undefined) {
            claims.put({
              triple: JSON.stringify([nipOf(session.context), 'VAT', next.number]),
              svcNumber: '',
              session: next.session,
              context: '',
              at: next.receivedAt,
              until: '9999-12-31',
            })
          }
          return next
        },
      },
    },
  },
  'invoices.duplicate.race/same-instant-accepted': {
    policy: { claimHolds: (held, _today, _session, now) => now - held.at > 250 },
  },
  'invoices.rejected.isolated/rejection-spreads': stopsAfter(1),
  'invoices.send.alternative/plain-send-missing': refuses(['invoices.send'], 'unknown-path'),
  'invoices.duplicate.points-to-original/duplicate-without-original': statuses(
    ({ status: { extensions: _, ...status } }) => ({
      status,
      originalSessionReferenceNumber: undefined,
      originalSvcNumber: undefined,
    }),
  ),
  'invoices.content.issue-date/issue-date-is-day-of-sending': {
    tables: {
      issued: {
        write: (next) => ({
          ...next,
          facts: { ...next.facts, issueDate: dayOf(next.acquiredAt) },
        }),
      },
    },
  },
  'invoices.content.issue-date/days-of-greenwich': {
    policy: { dayOfAcceptance: (instant) => new Date(instant).toISOString().slice(0, 10) },
  },
  'invoices.content.issue-date/issued-tomorrow-accepted': {
    also: ['invoices.content.invalid-rejected'],
    policy: { issueDateAccepted: () => true },
  },
  'invoices.status.outcome/number-with-wrong-check-value': statuses(({ svcNumber }) =>
    svcNumber === null ? {} : { svcNumber: withWrongCheckValue(svcNumber) },
  ),
  'invoices.status.outcome/status-for-nobody': {
    policy: { mayReadStatus: () => false },
  },
  'invoices.status.session-reference/status-without-session': statuses({
    sessionReferenceNumber: undefined,
  }),
  'invoices.mode/always-online': {
    policy: { invoiceMode: () => 'Online' },
  },
  'invoices.mode/offline-by-declaration-only': {
    policy: { invoiceMode: ({ declared }) => (declared ? 'Offline' : 'Online') },
  },
  'invoices.mode/offline-by-date-only': {
    policy: { invoiceMode: (_, issuedBefore) => (issuedBefore ? 'Offline' : 'Online') },
  },
  'invoices.mode/offline-package-forgotten': {
    policy: {
      invoiceMode: ({ declared, kind }, issuedBefore) =>
        invoicesPolicy.invoiceMode({ declared: declared && kind === 'online', kind }, issuedBefore),
    },
  },
  'invoices.duplicate.triple/digits-alone': {
    policy: {
      tripleOf: (facts) =>
        invoicesPolicy.tripleOf({ ...facts, number: facts.number.replaceAll(/\D/g, '') }),
    },
  },
  'invoices.submit.bad-base64/other-characters-skipped': {
    at: ['invoices.submit'],
    policy: { violationsRefuse: () => false },
    call(call, next) {
      const body = call.body as { readonly encryptedInvoiceContent: string }
      const encryptedInvoiceContent = body.encryptedInvoiceContent.replaceAll(/[^\w+/=]/g, '')
      return next({ ...call, body: { ...body, encryptedInvoiceContent } })
    },
  },
  'invoices.content.invalid-rejected/lengths-unchecked': {
    policy: {
      schemaFindings: (...given) =>
        invoicesPolicy.schemaFindings(...given).filter((finding) => !/maxLength/.test(finding)),
    },
  },
  'invoices.correction/corrected-again': {
    policy: { correctionRefusal: correctionUnless('correction-unavailable') },
  },
  'invoices.correction/accepted-corrected': {
    policy: { correctionRefusal: correctionUnless('correction-forbidden') },
  },
  'invoices.send.alternative/form-a-day-late': {
    at: ['invoices.send'],
    policy: {
      schemaInForce: (row, day) =>
        sessionsPolicy.schemaInForce(row, dayOf(Date.parse(day) - 24 * 3_600_000)),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
