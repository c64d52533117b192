import { keyOf, nipOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { receiptsPolicy } from '../policy/receipts.ts'
import { endUnsigned } from './links.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies, records, refuses } from './rewrite.ts'
import { inPackages, statuses } from './statuses.ts'
import { isAlone, isPackage } from './ways-of-sending.ts'
import { ownSession } from './session-views.ts'
import { day } from './spans.ts'

/** A buyer who is identified otherwise is taken for the taxpayer whose NIP has the same digits. */
const readByDigits = (type: 'VatUe' | 'Other'): Mutant => ({
  at: ['receipts.link'],
  tables: {
    issued: {
      read(found) {
        const { identifier } = found?.facts.buyer ?? {}
        if (found === undefined || identifier?.type !== type) return found
        const asNip = {
          type: 'Nip',
          value: (identifier.value ?? '').replaceAll(/\D/g, ''),
        } as const
        const { facts } = found
        return { ...found, facts: { ...facts, buyer: { ...facts.buyer, identifier: asNip } } }
      },
    },
  },
})

/** Statuses of invoices that were sent in one way have no receipt link. */
const withoutLinks = (isSuch: typeof isAlone): Mutant =>
  records<{ sessionReferenceNumber: string }>(
    ['invoices.status', 'invoices.statusBySvcNumber'],
    '-',
    ({ sessionReferenceNumber }, call) =>
      isSuch(call.service.state.sessions.get(sessionReferenceNumber))
        ? { upoDownloadUrl: null, upoDownloadUrlExpirationDate: null }
        : {},
  )

/** Defects of receipts, and of the links to them. */
export const receiptsMutants = {
  'receipts.invoice.carries-number/another-number': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          documents.map((issued) => ({
            ...issued,
            svcNumber: '5265877635-20250826-0100001AF629-AF',
          })),
          page,
        ),
    },
  },
  'receipts.invoice.carries-number/not-before-the-close': refuses(
    ['receipts.invoice'],
    'receipt-unknown',
    ({ service, path }) =>
      service.state.sessions.get(path['referenceNumber'] ?? '')?.status.code === 100,
  ),
  'receipts.session.verifies/summer-time-in-winter': {
    policy: {
      receiptText: (...given) => policy.receiptText(...given).replaceAll('+01:00<', '+02:00<'),
    },
  },
  'receipts.session.verifies/sender-as-seller': {
    policy: {
      receiptText: (session, documents, page) =>
        policy.receiptText(
          session,
          documents.map((one) => ({
            ...one,
            facts: { ...one.facts, seller: { nip: nipOf(one.context) } },
          })),
          page,
        ),
    },
  },
  'receipts.session.verifies/escaped-after-signing': {
    policy: {
      sealReceipt: (...given) => {
        const sealed = receiptsPolicy.sealReceipt(...given)
        return Buffer.from(Buffer.from(sealed).toString().replaceAll('&amp;', '&amp;amp;'))
      },
    },
  },
  'receipts.session.verifies/changed-after-signing': {
    policy: {
      sealReceipt: (...given) => {
        const text = Buffer.from(receiptsPolicy.sealReceipt(...given)).toString()
        return Buffer.from(
          text.replace(/(<TrybWysylki>)(Online|Offline)/, (_, tag: string, mode: string) =>
            tag.concat(mode === 'Online' ? 'Offline' : 'Online'),
          ),
        )
      },
    },
  },
  'receipts.session.verifies/proof-of-another-document': {
    policy: {
      receiptText: (session, ...rest) =>
        receiptsPolicy.receiptText(
          {
            ...session,
            proof:
              'token' in session.proof
                ? session.proof
                : { document: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' },
          },
          ...rest,
        ),
    },
  },
  'receipts.session.verifies/proof-of-another-token': {
    policy: {
      receiptText: (session, ...rest) =>
        receiptsPolicy.receiptText(
          {
            ...session,
            proof:
              'token' in session.proof
                ? { token: '20250826-EC-2F6A9B0C1D-0E3F4A5B6C-7D' }
                : session.proof,
          },
          ...rest,
        ),
    },
  },
  'receipts.session.verifies/unsigned': { policy: { sealReceipt: (text) => Buffer.from(text) } },
  'receipts.session.verifies/breaks-schema': {
    policy: {
      receiptText: (...given) =>
        receiptsPolicy.receiptText(...given).replace(/<KodFormularza>.*?<\/KodFormularza>/, ''),
    },
  },
  'receipts.session.verifies/another-moment': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          documents.map((issued) => ({ ...issued, acquiredAt: issued.acquiredAt + 3_600_000 })),
          page,
        ),
    },
  },
  'receipts.session.verifies/of-another-context': {
    policy: {
      receiptText: (session, ...given) =>
        receiptsPolicy.receiptText(
          { ...session, context: { type: 'Nip', value: '5265877635' } },
          ...given,
        ),
    },
  },
  'receipts.session.verifies/of-the-firm-for-a-unit': {
    policy: {
      receiptText: (session, ...given) =>
        receiptsPolicy.receiptText(
          { ...session, context: { type: 'Nip', value: session.context.value.slice(0, 10) } },
          ...given,
        ),
    },
  },
  'receipts.session.verifies/counts-pages-wrongly': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(session, documents, page && { ...page, last: page.last + 1 }),
    },
  },
  'receipts.session.verifies/every-page-from-the-first': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(session, documents, page && { ...page, first: 1 }),
    },
  },
  'receipts.session.verifies/form-of-today': {
    policy: {
      receiptText: (session, ...given) =>
        receiptsPolicy.receiptText({ ...session, schema: 'fa3' }, ...given),
    },
  },
  'receipts.session.verifies/total-of-the-page': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          documents,
          page && { ...page, documents: documents.length },
        ),
    },
  },
  'receipts.session.verifies/pages-without-their-last': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          page !== undefined && page.page < page.pages ? documents.slice(0, -1) : documents,
          page,
        ),
    },
  },
  'receipts.session.verifies/misses-an-invoice': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          documents.length > 1 ? documents.slice(1) : documents,
          page,
        ),
    },
  },
  'receipts.link.in-status/not-for-the-buyer': bodies(
    ['invoices.statusBySvcNumber'],
    (_body: Fields, { service, caller, path }) => {
      const issued = service.state.issued.get(path['svcNumber'] ?? '')
      return issued?.facts.buyer.identifier.value === caller?.context.value
        ? { upoDownloadUrl: null, upoDownloadUrlExpirationDate: null }
        : {}
    },
  ),
  'receipts.link.in-status/not-in-packages': inPackages({
    upoDownloadUrl: null,
    upoDownloadUrlExpirationDate: null,
  }),
  'receipts.link.in-status/no-link': statuses({
    upoDownloadUrl: null,
    upoDownloadUrlExpirationDate: null,
  }),
  'receipts.ways/original-not-reached': { policy: { receiptIsOfSession: () => false } },
  'receipts.link.expires/end-of-the-link-unsigned': endUnsigned('receipt'),
  'receipts.link.expires/link-for-ever': { policy: { receiptLinkHolds: () => true } },
  'receipts.link.expires/link-never-fresh': {
    policy: { receiptLinkUntil: (_, lifetime) => Date.UTC(2026, 5, 15) + lifetime * 1000 },
  },
  'receipts.link.parties-only/sender-instead-of-seller': refuses(
    ['receipts.link'],
    'receipt-unknown',
    ({ caller, path, service: { state } }) => {
      const invoice = state.invoices.get(path['receiptId']?.split('.', 1)[0] ?? '')
      const issued = state.issued.get(invoice?.svcNumber ?? '')
      return (
        caller !== undefined &&
        issued?.facts.seller.nip === nipOf(caller.context) &&
        keyOf(issued.context) !== keyOf(caller.context)
      )
    },
  ),
  'receipts.link.parties-only/readers-of-invoices-only': refuses(
    ['receipts.link'],
    'missing-permission',
    ({ caller }) => caller?.permissions().has('InvoiceRead') === false,
  ),
  'receipts.link.parties-only/digits-of-an-eu-buyer': readByDigits('VatUe'),
  'receipts.link.parties-only/digits-of-a-foreign-buyer': readByDigits('Other'),
  'receipts.link.parties-only/read-by-anyone': { policy: { mayReadReceipt: () => true } },
  'receipts.link.parties-only/buyer-shut-out': { policy: { mayReadReceipt: (issuer) => issuer } },
  'receipts.not-by-number-alone/by-number-in-any-session': {
    policy: { receiptIsOfSession: () => true },
  },
  'receipts.ways/no-link-without-a-session': withoutLinks(isAlone),
  'receipts.ways/no-receipt-without-a-session': refuses(
    ['receipts.invoice', 'receipts.invoiceBySvcNumber'],
    'receipt-unknown',
    (call) => isAlone(ownSession(call)),
  ),
  'receipts.ways/no-link-in-packages': withoutLinks(isPackage),
  'receipts.invoice.carries-number/for-two-days': refuses(
    ['receipts.invoice', 'receipts.invoiceBySvcNumber', 'receipts.session'],
    'receipt-unknown',
    (call) => call.now - (ownSession(call)?.openedAt ?? call.now) > 2 * day,
  ),
  'receipts.link.expires/session-without-fresh-ones': bodies(['sessions.status'], (_, call) =>
    call.now - (ownSession(call)?.openedAt ?? call.now) > 2 * day ? { upo: undefined } : {},
  ),
} as const satisfies Readonly<Record<string, Mutant>>
