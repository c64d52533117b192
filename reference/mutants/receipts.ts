import { receiptsPolicy } from '../policy/receipts.ts'
import type { Mutant } from './mutant.ts'
import { refuses } from './rewrite.ts'
import { statuses } from './statuses.ts'

/** Defects of receipts. */

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
  'receipts.session.verifies/unsigned': {
    policy: { sealReceipt: (text) => Buffer.from(text) },
  },
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
  'receipts.link.in-status/no-link': statuses({
    upoDownloadUrl: null,
    upoDownloadUrlExpirationDate: null,
  }),
  'receipts.invoice.carries-number/not-before-the-close': refuses(
    ['receipts.invoice'],
    'receipt-unknown',
    ({ service, path }) =>
      service.state.sessions.get(path['referenceNumber'] ?? '')?.status.code === 100,
  ),
  'receipts.ways/original-not-reached': {
    policy: { receiptIsOfSession: () => false },
  },
  'receipts.link.expires/link-for-ever': {
    policy: { receiptLinkHolds: () => true },
  },
  'receipts.link.expires/link-never-fresh': {
    policy: { receiptLinkUntil: (_, lifetime) => Date.UTC(2026, 5, 15) + lifetime * 1000 },
  },
  'receipts.link.parties-only/read-by-anyone': {
    policy: { mayReadReceipt: () => true },
  },
  'receipts.link.parties-only/buyer-shut-out': {
    policy: { mayReadReceipt: (issuer) => issuer },
  },
  'receipts.not-by-number-alone/by-number-in-any-session': {
    policy: { receiptIsOfSession: () => true },
  },
} as const satisfies Readonly<Record<string, Mutant>>
