import type { Client } from '../../lib/client.ts'
import { fetchReceipt, receiptPages } from '../../lib/flows/receipt.ts'
import { settleSession } from '../../lib/flows/session.ts'
import { Inconclusive, expectObject } from '../../lib/outcome.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import type { ListedInvoice, ReceiptedInvoice } from '../../load/trace/account.ts'

/** What the service says of the sessions of a run after it: their invoices and their receipts. */

const pageSize = 1000

/** Every invoice of a session, page after page. */
export const listInvoices = async (
  client: Client,
  referenceNumber: string,
): Promise<readonly ListedInvoice[]> => {
  const listed: ListedInvoice[] = []
  let token: string | undefined
  do {
    const exchange = await client.call('sessions.invoices', {
      path: { referenceNumber },
      query: { pageSize },
      ...(token === undefined ? {} : { headers: { 'x-continuation-token': token } }),
    })
    const { invoices, continuationToken } = expectObject(exchange, 'list the invoices')
    if (!Array.isArray(invoices))
      throw new Inconclusive('list the invoices', 'a list `invoices`', exchange)
    for (const entry of invoices as readonly Record<string, unknown>[]) listed.push(recordOf(entry))
    token = typeof continuationToken === 'string' ? continuationToken : undefined
  } while (token !== undefined)
  return listed
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

const recordOf = (entry: Record<string, unknown>): ListedInvoice => ({
  number: textOf(entry['invoiceNumber']),
  hash: textOf(entry['invoiceHash']),
  referenceNumber: textOf(entry['referenceNumber']) ?? '',
  svcNumber: textOf(entry['svcNumber']),
  status: Number((entry['status'] as { code?: unknown } | undefined)?.code ?? 0),
})

export interface ReadReceipts {
  readonly documents: readonly ReceiptedInvoice[]
  /** What is wrong with the receipts themselves. */
  readonly problems: readonly string[]
}

/** The aggregate receipt of a session: every page, its signature and its form checked. */
export const readReceipts = async (
  client: Client,
  referenceNumber: string,
  kind: 'onlineSession' | 'batchSession',
): Promise<ReadReceipts> => {
  const settled = await settleSession(client, { referenceNumber }, kind)
  if (!settled.succeeded) return { documents: [], problems: [] }
  const documents: ReceiptedInvoice[] = []
  const problems: string[] = []
  for (const page of receiptPages(settled)) {
    const exchange = await fetchReceipt(client, {
      sessionReferenceNumber: referenceNumber,
      upoReferenceNumber: page.referenceNumber,
    })
    const receipt = readReceipt(exchange.bytes)
    const wrong = [
      ...(receipt.signed ? receipt.signatureProblems : ['it is not signed']),
      ...receipt.schemaProblems,
    ]
    problems.push(...wrong.map((problem) => `receipt ${page.referenceNumber}: ${problem}`))
    for (const { invoiceNumber, invoiceHash } of receipt.documents)
      documents.push({ number: invoiceNumber, hash: invoiceHash })
  }
  return { documents, problems }
}
