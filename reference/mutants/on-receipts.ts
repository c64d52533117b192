import type { Issued, Session } from '../model/documents.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'

/** Receipts state something else of their invoices than what is so. */
export const onReceipts = (change: (one: Issued, session: Session) => Issued): Mutant => ({
  policy: {
    receiptText: (session, documents, page) =>
      policy.receiptText(
        session,
        documents.map((one) => change(one, session)),
        page,
      ),
  },
})
