import type { Client } from '../../lib/client.ts'
import { fetchReceipt, receiptPages } from '../../lib/flows/receipt.ts'
import { settleSession } from '../../lib/flows/session.ts'
import { Inconclusive, expectObject } from '../../lib/outcome.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import type { ListedInvoice, ReceiptedInvoice } from '../../load/trace/account.ts'

/** What the service says of the sessions of a run after it: their invoices and their receipts. */

const pageSize = 1000

export interface ListBounds {
  /** Invoices of the whole run: no session lists many more. */
  readonly planned: number
  readonly signal: AbortSignal
}

/** Entries, and pages, that a list may have: room for defects such as doubled invoices, and for very short pages. */
const maximumEntries = (planned: number): number => 2 * planned + 10

/**
 * Every invoice of a session, page after page.
 * @throws {Inconclusive} when the list has no end, or the reading is interrupted
 */
export const listInvoices = async (
  client: Client,
  referenceNumber: string,
  { planned, signal }: ListBounds,
): Promise<readonly ListedInvoice[]> => {
  const step = 'list the invoices'
  const maximum = maximumEntries(planned)
  // An interruption before this ended the load, and what was sent is still accounted for.
  const endsEarly = !signal.aborted
  const listed: ListedInvoice[] = []
  const tokens = new Set<string>()
  let token: string | undefined
  do {
    if (endsEarly && signal.aborted)
      throw new Inconclusive(step, 'to read the whole list, was interrupted')
    const exchange = await client.call('sessions.invoices', {
      path: { referenceNumber },
      query: { pageSize },
      ...(token === undefined ? {} : { headers: { 'x-continuation-token': token } }),
    })
    const { invoices, continuationToken } = expectObject(exchange, step)
    if (!Array.isArray(invoices)) throw new Inconclusive(step, 'a list `invoices`', exchange)
    for (const entry of invoices as readonly Record<string, unknown>[]) listed.push(recordOf(entry))
    token = typeof continuationToken === 'string' ? continuationToken : undefined
    if (token !== undefined && tokens.has(token))
      throw new Inconclusive(step, 'another `continuationToken` on every page', exchange)
    if (token !== undefined) tokens.add(token)
    if (token !== undefined && (tokens.size > maximum || listed.length > maximum))
      throw new Inconclusive(
        step,
        `a list that ends: ${planned} were planned, it has ${listed.length} entries on ${tokens.size} pages and a \`continuationToken\` for more`,
      )
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
