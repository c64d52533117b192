import type { AnyCall } from '../../call/call.ts'
import { invoiceReceipt } from '../../invoices/receipts.ts'
import type { Issued } from '../../model/documents.ts'
import { keyOf, nipOf } from '../../model/entities.ts'
import type { Roles } from '../../model/roles.ts'
import { rolesIn } from '../../model/roles.ts'
import { accepts } from '../rewrite.ts'
import type { Mutant } from '../mutant.ts'

/** Below a session that is not the caller's, a service number finds its receipt for some callers. */
const belowNoSession = (isFor: (issued: Issued, call: AnyCall) => boolean): Mutant =>
  accepts(['receipts.invoiceBySvcNumber'], ['session-unknown'], (call) => {
    const issued = call.service.state.issued.get(call.path['svcNumber'] ?? '')
    return issued && isFor(issued, call)
      ? { bytes: invoiceReceipt(call.service, issued) }
      : undefined
  })

/** In place of the id of a link, a service number finds its receipt where that session has been processed. */
const onceProcessed = (kind: 'online' | 'batch', isFor: (roles: Roles) => boolean): Mutant =>
  accepts(['receipts.link'], ['receipt-unknown'], ({ service, caller, path }) => {
    const issued = service.state.issued.get(path['receiptId'] ?? '')
    const session = issued && service.state.sessions.get(issued.session)
    if (session?.kind !== kind || session.status.code !== 200) return undefined
    // Where a dialect lets the link suffice, there is no caller.
    const isRead = caller === undefined || isFor(rolesIn(caller.context, issued!))
    return isRead ? { bytes: invoiceReceipt(service, issued!) } : undefined
  })

/** Defects of receipts by their number alone. */
export const receiptsNotByNumberAloneMutants = {
  'receipts.not-by-number-alone/by-number-in-any-session': {
    policy: { receiptIsOfSession: () => true },
  },
  'receipts.not-by-number-alone/below-no-session': belowNoSession(
    ({ context }, { caller }) => caller !== undefined && keyOf(context) === keyOf(caller.context),
  ),
  'receipts.not-by-number-alone/for-its-buyer': belowNoSession(
    ({ facts }, { caller }) =>
      caller !== undefined && facts.buyer.identifier.value === nipOf(caller.context),
  ),
  'receipts.not-by-number-alone/in-place-of-a-link': accepts(
    ['receipts.link'],
    ['receipt-unknown'],
    ({ service, caller, path }) => {
      const issued = service.state.issued.get(path['receiptId'] ?? '')
      const isBuyer = issued?.facts.buyer.identifier.value === (caller && nipOf(caller.context))
      return issued && isBuyer ? { bytes: invoiceReceipt(service, issued) } : undefined
    },
  ),
  'receipts.not-by-number-alone/to-its-sender-once-processed': onceProcessed(
    'online',
    ({ sender }) => sender,
  ),
  'receipts.not-by-number-alone/to-its-buyer-once-processed': onceProcessed(
    'online',
    ({ buyer }) => buyer,
  ),
  'receipts.not-by-number-alone/of-a-package-once-processed': onceProcessed(
    'batch',
    ({ sender, buyer }) => sender || buyer,
  ),
  'receipts.not-by-number-alone/below-any-package': {
    policy: {
      receiptIsOfSession: (session, asked) => session === asked || asked.includes('-SB-'),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
