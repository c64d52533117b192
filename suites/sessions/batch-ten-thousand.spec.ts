import { limits } from '../../contract/limits.ts'
import { listInvoices, packed, sendBatch } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { withoutRates } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const allowed = limits['session.invoices'].value
const valid = 20

interface Document {
  readonly bytes: Uint8Array
}

/** A package of so many documents: some valid, the rest no invoices at all, but counted like them, and quick. */
const many = (count: number, invoice: () => Document) => {
  const nothing = { bytes: new TextEncoder().encode('<a/>') }
  return packed(Array.from({ length: count }, (_, place) => (place < valid ? invoice() : nothing)))
}

test(...rule('sessions.batch.ten-thousand', 'at the limit'), async ({ login, invoice, target }) => {
  test.setTimeout(300_000)
  await withoutRates(target)
  const { api } = await login()
  const { settled } = await sendBatch(api, await many(allowed, invoice))
  expect(settled).toHaveSucceeded('batchSession')
  expect(settled.body, 'what became of the invoices').toMatchObject({
    invoiceCount: allowed,
    successfulInvoiceCount: valid,
    failedInvoiceCount: allowed - valid,
  })
})

test(...rule('sessions.batch.ten-thousand', 'above'), async ({ login, invoice, target }) => {
  test.setTimeout(300_000)
  await withoutRates(target)
  const { api } = await login()
  const { settled } = await sendBatch(api, await many(allowed + 1, invoice))
  expect(settled).toBeRejected('session-full')
})

test(...rule('sessions.invoices.complete', 'ten thousand'), async ({ login, invoice, target }) => {
  test.skip(!target.has('bulk'), 'the target does not offer: bulk')
  test.setTimeout(300_000)
  await withoutRates(target)
  const { api } = await login()
  const { referenceNumber } = await sendBatch(api, await many(allowed, invoice))
  const rows = await listInvoices(api, referenceNumber, 'sessions.invoices', 900)
  expect(rows.length, 'rows over all pages').toBe(allowed)
  expect(new Set(rows.map((row) => row.referenceNumber)).size, 'each invoice once').toBe(allowed)
})
