import type { Issued, Session } from '../../model/documents.ts'
import { minute } from '../spans.ts'
import { nipOf } from '../../model/entities.ts'
import { policy } from '../../policy/policy.ts'
import { receiptsPolicy } from '../../policy/receipts.ts'
import { firstOfEach } from '../by-number.ts'
import type { Mutant } from '../mutant.ts'
import { onReceipts } from '../on-receipts.ts'

/** Receipts of packages state something else of their invoices. */
const ofPackages = (change: (one: Issued, session: Session) => Issued): Mutant =>
  onReceipts((one, session) => (session.kind === 'batch' ? change(one, session) : one))

/** Defects of what receipts state. */
export const receiptsSessionMutants = {
  'receipts.session.verifies/summer-time-in-winter': {
    policy: {
      receiptText: (...given) => policy.receiptText(...given).replaceAll('+01:00<', '+02:00<'),
    },
  },
  'receipts.session.verifies/sender-as-seller': onReceipts((one) => ({
    ...one,
    facts: { ...one.facts, seller: { nip: nipOf(one.context) } },
  })),
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
  'receipts.session.verifies/listed-by-number': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          firstOfEach(documents, ({ facts }) => facts.number),
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
  'receipts.session.verifies/packages-always-online': ofPackages((one) => ({
    ...one,
    mode: 'Online',
  })),
  'receipts.session.verifies/packages-numbered-at-their-opening': ofPackages((one, session) => ({
    ...one,
    acquiredAt: session.openedAt - minute,
  })),
  'receipts.session.verifies/packages-by-another-login': {
    policy: {
      receiptText: (session, ...rest) =>
        policy.receiptText(
          session.kind === 'batch'
            ? { ...session, proof: { token: session.referenceNumber } }
            : session,
          ...rest,
        ),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
