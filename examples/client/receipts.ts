import { callReceiptLink } from '../../lib/flows/receipt.ts'
import type { Conduct } from './conduct.ts'
import type { Connection } from './connection.ts'
import type { Account } from './login.ts'
import { foundIn } from './session-records.ts'

/**
 * Fetches the receipt of an accepted invoice by the link of its status. A link that has expired is no loss: a new
 * status has a fresh one.
 */
export async function fetchReceipt(
  connection: Connection,
  account: Account,
  conduct: Conduct,
  session: string,
  reference: string,
): Promise<boolean> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const status = await account.call(
      'invoices.inSession',
      { path: { referenceNumber: session, invoiceReferenceNumber: reference } },
      'safe',
    )
    const link = foundIn(status.body)?.receiptLink
    if (link === undefined) return false
    const access = await account.access()
    const receipt = await connection.follow(
      'receipts.link',
      (client) =>
        callReceiptLink(client.with({ bearer: access }), conduct.receiptAddress(link, access)),
      'safe',
    )
    if (receipt.status < 300 && receipt.text.includes('<')) return true
    if (!conduct.asksForFreshLink) return false
  }
  return false
}
