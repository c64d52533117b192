import type { Client } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { Inconclusive, expectOk } from '../outcome.ts'
import { wireOperation } from '../wire.ts'
import type { Settled } from './settle.ts'

/** Which receipt: one document's, or a page of the aggregate receipt of a session. */
export type ReceiptOf =
  | { readonly sessionReferenceNumber: string; readonly invoiceReferenceNumber: string }
  | { readonly sessionReferenceNumber: string; readonly svcNumber: string }
  | { readonly sessionReferenceNumber: string; readonly upoReferenceNumber: string }

/** Requests a receipt by its references; returns the exchange, whatever its status. */
export function callReceipt(client: Client, receipt: ReceiptOf): Promise<Exchange> {
  const referenceNumber = receipt.sessionReferenceNumber
  if ('invoiceReferenceNumber' in receipt) {
    const { invoiceReferenceNumber } = receipt
    return client.call('receipts.invoice', { path: { referenceNumber, invoiceReferenceNumber } })
  }
  if ('svcNumber' in receipt) {
    const { svcNumber } = receipt
    return client.call('receipts.invoiceBySvcNumber', { path: { referenceNumber, svcNumber } })
  }
  const { upoReferenceNumber } = receipt
  return client.call('receipts.session', { path: { referenceNumber, upoReferenceNumber } })
}

/** Follows a receipt link from a status: by default with the client's bearer, where the dialect's links take one. */
export function callReceiptLink(
  client: Client,
  url: string,
  bearer: string | null = linkBearer(client),
): Promise<Exchange> {
  return client.request('GET', url, { bearer, operation: 'receipts.link' })
}

const linkBearer = (client: Client): string | null =>
  wireOperation('receipts.link', client.dialect).bearer === 'link'
    ? null
    : (client.identity.bearer ?? null)

/**
 * The receipt document.
 * @throws {Inconclusive} when it cannot be had
 */
export async function fetchReceipt(client: Client, receipt: ReceiptOf): Promise<Exchange> {
  const step = 'fetch the receipt'
  const exchange = expectOk(await callReceipt(client, receipt), step)
  if (!exchange.text.includes('<')) throw new Inconclusive(step, 'an XML document', exchange)
  return exchange
}

/** One page of an aggregate receipt, as the status of a session names it. */
export interface ReceiptPage {
  readonly referenceNumber: string
  readonly downloadUrl: string | undefined
  /** When the address expires, as the service writes it. */
  readonly downloadUrlExpirationDate: string | undefined
}

/**
 * The pages of the aggregate receipt.
 * @throws {Inconclusive} when the session's status names none
 */
export function receiptPages(session: Settled): ReceiptPage[] {
  const { upo } = session.body as { upo?: { pages?: unknown } }
  const pages = Array.isArray(upo?.pages) ? (upo.pages as Record<string, unknown>[]) : []
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const found = pages.flatMap(({ referenceNumber, downloadUrl, downloadUrlExpirationDate }) =>
    typeof referenceNumber === 'string'
      ? [
          {
            referenceNumber,
            downloadUrl: textOf(downloadUrl),
            downloadUrlExpirationDate: textOf(downloadUrlExpirationDate),
          },
        ]
      : [],
  )
  if (found.length > 0) return found
  throw new Inconclusive(
    'find the aggregate receipt',
    'pages in `upo` of the session status',
    session.exchanges.at(-1),
  )
}
