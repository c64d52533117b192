import { receiptsPolicy } from '../../policy/receipts.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'
import { ownSession } from '../session-views.ts'
import { day } from '../spans.ts'

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
} as const satisfies Readonly<Record<string, Mutant>>
