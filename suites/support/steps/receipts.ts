import { sha256 } from '../../../lib/crypto.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { MadeInvoice } from '../documents/invoice-source.ts'
import { expect } from '../judging/matchers.ts'
import type { Accepted } from './steps.ts'

/** Expects a signed receipt of exactly one invoice. */
export const expectReceipt = async (
  exchange: Exchange,
  { session }: { readonly session: { readonly referenceNumber: string } },
  made: MadeInvoice,
  { svcNumber, body }: Pick<Accepted, 'svcNumber' | 'body'>,
) => {
  expect(exchange).toBeOk()
  const receipt = readReceipt(exchange.bytes)
  expect(receipt.signed, 'a signature on the receipt').toBe(true)
  expect(receipt.signatureProblems, 'faults of the signature').toEqual([])
  expect(receipt.sessionReferenceNumber, 'the session on the receipt').toBe(session.referenceNumber)
  const documents = receipt.documents.map(({ sentAt, numberedAt, ...more }) => ({
    ...more,
    sentAt: Date.parse(sentAt),
    numberedAt: Date.parse(numberedAt),
  }))
  expect(documents, 'the invoice on the receipt').toEqual([
    {
      sellerNip: made.seller,
      serviceNumber: svcNumber,
      invoiceNumber: made.number,
      issueDate: made.issueDate,
      invoiceHash: Buffer.from(await sha256(made.bytes)).toString('base64'),
      mode: body['invoicingMode'],
      sentAt: Date.parse(String(body['invoicingDate'])),
      numberedAt: Date.parse(String(body['acquisitionDate'])),
    },
  ])
}
