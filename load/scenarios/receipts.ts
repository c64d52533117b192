import { fetchReceipt } from '../../lib/flows/receipt.ts'
import { invoiceOf, onSchedule } from '../tasks.ts'
import type { Task } from '../tasks.ts'

/** Fetches the receipt of one invoice: it names its service number and its hash. */
export const receiptTask: Task = async (client, assignment, i) => {
  const { referenceNumber, svcNumber, number, hash } = invoiceOf(assignment, i)
  const { text } = await fetchReceipt(client, {
    sessionReferenceNumber: assignment.issued.session,
    invoiceReferenceNumber: referenceNumber,
  })
  if (!text.includes(svcNumber)) return `${number}: the receipt does not name ${svcNumber}`
  return text.includes(hash) ? undefined : `${number}: the receipt has another hash`
}

export const receipts = onSchedule(() => receiptTask)
