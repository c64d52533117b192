import { receiptsPolicy } from '../../policy/receipts.ts'
import type { Issued } from '../../model/documents.ts'
import type { State } from '../../model/state.ts'
import type { Mutant } from '../mutant.ts'
import { isAlone } from '../ways-of-sending.ts'
import { refuses } from '../rewrite.ts'
import { ownSession } from '../session-views.ts'
import { day } from '../spans.ts'

/** Receipts of the first invoice of the session, or of all, that shares a property. */
const ofTheFirst = (shares: (one: Issued, other: Issued, state: State) => boolean): Mutant => ({
  at: ['receipts.invoice', 'receipts.invoiceBySvcNumber'],
  tables: {
    issued: {
      read: (found, _key, state) =>
        found && ([...state.issued.values()].find((one) => shares(one, found, state)) ?? found),
    },
  },
})

const baseNameOf = ({ invoice }: Issued, { invoices }: State): string | undefined =>
  invoices.get(invoice)?.fileName?.split('/').at(-1)

/** Defects of the receipt of an invoice. */
export const receiptsInvoiceMutants = {
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
  'receipts.invoice.carries-number/for-two-days': refuses(
    ['receipts.invoice', 'receipts.invoiceBySvcNumber', 'receipts.session'],
    'receipt-unknown',
    (call) => call.now - (ownSession(call)?.openedAt ?? call.now) > 2 * day,
  ),
  'receipts.invoice.carries-number/none-without-a-session': {
    ...refuses(['receipts.invoice', 'receipts.invoiceBySvcNumber'], 'receipt-unknown', (call) =>
      isAlone(ownSession(call)),
    ),
    needs: 'invoices.send',
  },
  'receipts.invoice.carries-number/of-the-first-with-its-number': ofTheFirst(
    (one, other) => one.facts.number === other.facts.number,
  ),
  'receipts.invoice.carries-number/of-the-first-with-its-number-in-the-session': ofTheFirst(
    (one, other) => one.session === other.session && one.facts.number === other.facts.number,
  ),
  'receipts.invoice.carries-number/of-the-first-with-its-name': ofTheFirst(
    (one, other, state) =>
      one.session === other.session && baseNameOf(one, state) === baseNameOf(other, state),
  ),
  'receipts.invoice.carries-number/long-numbers-cut': {
    policy: {
      receiptText: (session, documents, page) =>
        receiptsPolicy.receiptText(
          session,
          documents.map((one) => ({
            ...one,
            facts: { ...one.facts, number: one.facts.number.slice(0, 200) },
          })),
          page,
        ),
    },
  },
  'receipts.invoice.carries-number/none-for-corrections': refuses(
    ['receipts.invoice', 'receipts.invoiceBySvcNumber'],
    'receipt-unknown',
    ({ path, service: { state } }) => {
      const invoice = state.invoices.get(path['invoiceReferenceNumber'] ?? '')
      const number = path['svcNumber'] ?? invoice?.svcNumber ?? ''
      return state.issued.get(number)?.corrects !== undefined
    },
  ),
} as const satisfies Readonly<Record<string, Mutant>>
