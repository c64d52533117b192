import { expectObject } from '../../lib/outcome.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { invoiceOf, onSchedule } from '../tasks.ts'
import type { Task } from '../tasks.ts'

/** Looks at the status of one invoice: it stays accepted, under the same number. */
export const pollTask: Task = async (client, assignment, i) => {
  const { referenceNumber: invoiceReferenceNumber, svcNumber, number } = invoiceOf(assignment, i)
  const path = { referenceNumber: assignment.issued.session, invoiceReferenceNumber }
  const exchange = await client.call('invoices.inSession', { path })
  const body = expectObject(exchange, 'look at an invoice')
  const code = statusOf(body)?.code
  if (code !== 200) return `${number}: status ${code}, expected 200`
  return body['svcNumber'] === svcNumber ? undefined : `${number}: another service number`
}

export const pollStatus = onSchedule(() => pollTask)
