import { sha256 } from '../../lib/crypto.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { callPart, createExport, exportParts, settleExport } from '../../lib/flows/export.ts'
import { callReceipt, callReceiptLink, receiptPages } from '../../lib/flows/receipt.ts'
import { issuedAround } from '../support/filters.ts'
import { offered } from '../support/offered.ts'
import { rule } from '../support/rule.ts'
import { findAll } from '../support/searches.ts'
import { accept, finish, retrieve } from '../support/steps.ts'
import { offeredWays } from '../support/ways-of-sending.ts'
import { expect, test } from '../support/test.ts'

/** The hash that is sent with a document is the hash of the bytes that were sent. */

const hashed = async (exchange: Exchange, what: string) => {
  expect(exchange).toBeOk()
  expect(exchange.bytes.length, `bytes of ${what}`).toBeGreaterThan(0)
  expect(exchange.headers['x-ms-meta-hash'], `the hash in the header of ${what}`).toBe(
    Buffer.from(await sha256(exchange.bytes)).toString('base64'),
  )
}

test(...rule('transport.document-hash', 'invoice'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes, number } = invoice()
  const { svcNumber } = await accept(desk, bytes)
  const path = { svcNumber, invoiceNumber: number }
  for (const operation of offered('invoices.bySvcNumber', 'invoices.byNumber'))
    await hashed(await retrieve(desk.api, operation, path), `the invoice by ${operation}`)
  for (const [way, { send }] of offeredWays()) {
    const sent = await send(desk, invoice().bytes)
    const answer = await retrieve(desk.api, 'invoices.bySvcNumber', { svcNumber: sent.svcNumber })
    await hashed(answer, `an invoice that was sent by ${way}`)
  }
})

test(...rule('transport.document-hash', 'receipt'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber, svcNumber, receiptUrl } = await accept(desk, invoice().bytes)
  const sessionReferenceNumber = desk.session.referenceNumber
  const [page] = receiptPages(await finish(desk))
  const upoReferenceNumber = page?.referenceNumber ?? ''
  for (const receipt of [
    { sessionReferenceNumber, invoiceReferenceNumber: referenceNumber },
    { sessionReferenceNumber, svcNumber },
    { sessionReferenceNumber, upoReferenceNumber },
  ])
    await hashed(await callReceipt(desk.api, receipt), `the receipt of ${JSON.stringify(receipt)}`)
  for (const url of [receiptUrl, page?.downloadUrl])
    if (url !== undefined)
      await hashed(await callReceiptLink(desk.api, url), 'the receipt behind a link')
})

test(...rule('transport.document-hash', 'export'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const filters = issuedAround(clock.now())
  await findAll(desk.api, filters, [svcNumber])
  const started = await createExport(desk.api, { filters })
  const parts = exportParts(await settleExport(desk.api, started))
  expect(parts.length, 'parts of the package').toBeGreaterThan(0)
  for (const part of parts) await hashed(await callPart(desk.api, part), 'a part of the package')
})
