import type { Mutant } from '../mutant.ts'
import { records, refuses } from '../rewrite.ts'
import { isAlone, isPackage } from '../ways-of-sending.ts'
import { ownSession } from '../session-views.ts'

/** Statuses of invoices that were sent in one way have no receipt link. */
const withoutLinks = (isSuch: typeof isAlone): Mutant => ({
  also: ['receipts.link.in-status'],
  ...records<{ sessionReferenceNumber: string }>(
    ['invoices.status', 'invoices.statusBySvcNumber'],
    '-',
    ({ sessionReferenceNumber }, call) =>
      isSuch(call.service.state.sessions.get(sessionReferenceNumber))
        ? { upoDownloadUrl: null, upoDownloadUrlExpirationDate: null }
        : {},
  ),
})

/** Defects of the ways to a receipt. */
export const receiptsWaysMutants = {
  'receipts.ways/original-not-reached': { policy: { receiptIsOfSession: () => false } },
  'receipts.ways/no-link-without-a-session': withoutLinks(isAlone),
  'receipts.ways/no-receipt-without-a-session': refuses(
    ['receipts.invoice', 'receipts.invoiceBySvcNumber'],
    'receipt-unknown',
    (call) => isAlone(ownSession(call)),
  ),
  'receipts.ways/no-link-in-packages': withoutLinks(isPackage),
  'receipts.ways/repeat-moves-the-original': {
    tables: {
      invoices: {
        write(next, _before, { claims }) {
          const { originalSvcNumber } = (next.status.extensions ?? {}) as {
            readonly originalSvcNumber?: string
          }
          for (const claim of claims.values())
            if (claim.svcNumber === originalSvcNumber)
              claims.put({ ...claim, session: next.session })
          return next
        },
      },
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
