import type { Mutant } from './mutant.ts'
import { receiptsPolicy } from '../policy/receipts.ts'

/** Defects of receipts. */
export const receiptsMutants = {
  'receipts.another-number': {
    breaks: ['receipts.invoice.carries-number'],
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
  'receipts.changed-after-signing': {
    breaks: ['receipts.session.verifies'],
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
  'receipts.proof-of-another-document': {
    breaks: ['receipts.session.verifies'],
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
  'receipts.proof-of-another-token': {
    breaks: ['receipts.session.verifies'],
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
  'receipts.unsigned': {
    breaks: ['receipts.session.verifies'],
    policy: { sealReceipt: (text) => Buffer.from(text) },
  },
  'receipts.breaks-schema': {
    breaks: ['receipts.session.verifies'],
    policy: {
      receiptText: (...given) =>
        receiptsPolicy.receiptText(...given).replace(/<KodFormularza>.*?<\/KodFormularza>/, ''),
    },
  },
  'receipts.another-moment': {
    breaks: ['receipts.session.verifies'],
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          documents.map((issued) => ({ ...issued, acquiredAt: issued.acquiredAt + 3_600_000 })),
          page,
        ),
    },
  },
  'receipts.of-another-context': {
    breaks: ['receipts.session.verifies'],
    policy: {
      receiptText: (session, ...given) =>
        receiptsPolicy.receiptText(
          { ...session, context: { type: 'Nip', value: '5265877635' } },
          ...given,
        ),
    },
  },
  'receipts.of-the-firm-for-a-unit': {
    breaks: ['receipts.session.verifies'],
    policy: {
      receiptText: (session, ...given) =>
        receiptsPolicy.receiptText(
          { ...session, context: { type: 'Nip', value: session.context.value.slice(0, 10) } },
          ...given,
        ),
    },
  },
  'receipts.counts-pages-wrongly': {
    breaks: ['receipts.session.verifies'],
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(session, documents, page && { ...page, last: page.last + 1 }),
    },
  },
  'receipts.misses-an-invoice': {
    breaks: ['receipts.session.verifies'],
    policy: {
      receiptDocuments: (accepted) => (accepted.length > 1 ? accepted.slice(1) : accepted),
    },
  },
  'receipts.no-link': {
    breaks: ['receipts.link.in-status'],
    policy: { statusHasReceiptLink: () => false },
  },
  'receipts.original-not-reached': {
    breaks: ['receipts.ways'],
    policy: { receiptIsOfSession: () => false },
  },
  'receipts.link-for-ever': {
    breaks: ['receipts.link.expires'],
    policy: { receiptLinkHolds: () => true },
  },
  'receipts.link-never-fresh': {
    breaks: ['receipts.link.expires'],
    policy: { receiptLinkFrom: () => Date.UTC(2026, 5, 15) },
  },
  'receipts.read-by-anyone': {
    breaks: ['receipts.link.parties-only'],
    policy: { mayReadReceipt: () => true },
  },
  'receipts.buyer-shut-out': {
    breaks: ['receipts.link.parties-only'],
    policy: { mayReadReceipt: (issuer) => issuer },
  },
  'receipts.by-number-in-any-session': {
    breaks: ['receipts.not-by-number-alone'],
    policy: { receiptIsOfSession: () => true },
  },
} as const satisfies Record<string, Mutant>
