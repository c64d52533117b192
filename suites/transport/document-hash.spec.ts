import { sha256 } from '../../lib/crypto.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { callPart, createExport, exportParts, settleExport } from '../../lib/flows/export.ts'
import { callReceipt, callReceiptLink, receiptPages } from '../../lib/flows/receipt.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { offered } from '../support/service/offered.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll } from '../support/steps/searches.ts'
import { sendTogether } from '../support/scenes/sent-together.ts'
import { sentKinds } from '../support/scenes/sent-invoices.ts'
import { accept, finish, retrieve } from '../support/steps/steps.ts'
import { offeredWays } from '../support/scenes/ways-of-sending.ts'
import { expect, test } from '../support/harness/test.ts'

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

test(...rule('transport.document-hash', 'invoice, of 900 kB'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes, number } = invoice({ bytes: 900_000 })
  const { svcNumber } = await accept(desk, bytes)
  const path = { svcNumber, invoiceNumber: number }
  for (const operation of offered('invoices.bySvcNumber', 'invoices.byNumber'))
    await hashed(await retrieve(desk.api, operation, path), `the invoice by ${operation}`)
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

/** Documents of one session, and the first of them again once another was sent in between. */
const inTurn = <T>(all: readonly T[]): readonly T[] => [...all, ...all.slice(0, 1)]

for (const kind of sentKinds) {
  test(
    ...rule('transport.document-hash', `invoice, two of one session in turn, ${kind}`),
    async ({ login, invoice }) => {
      const me = await login()
      const { all } = await sendTogether(me, kind, [invoice(), invoice()])
      for (const operation of offered('invoices.bySvcNumber', 'invoices.byNumber'))
        for (const { svcNumber, made } of inTurn(all)) {
          const path = { svcNumber, invoiceNumber: made.number }
          await hashed(await retrieve(me.api, operation, path), `${made.number} by ${operation}`)
        }
    },
  )

  test(
    ...rule('transport.document-hash', `receipt, two of one session in turn, ${kind}`),
    async ({ login, invoice }) => {
      const { api } = await login()
      const sent = await sendTogether({ api }, kind, [invoice(), invoice()])
      const { session: sessionReferenceNumber } = sent
      for (const { made, referenceNumber: invoiceReferenceNumber } of inTurn(sent.all))
        await hashed(
          await callReceipt(api, { sessionReferenceNumber, invoiceReferenceNumber }),
          `the receipt of ${made.number} by reference`,
        )
      for (const { made, svcNumber } of inTurn(sent.all))
        await hashed(
          await callReceipt(api, { sessionReferenceNumber, svcNumber }),
          `the receipt of ${made.number} by service number`,
        )
      for (const { made, receiptUrl } of inTurn(sent.all))
        if (receiptUrl !== undefined)
          await hashed(
            await callReceiptLink(api, receiptUrl),
            `the receipt of ${made.number} by link`,
          )
    },
  )
}

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
