import { listInvoices, packed, sendBatch } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { outcomeOfInvoice } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.duplicates', 'within the package'), async ({ login, invoice }) => {
  const { api } = await login()
  const twice = invoice()
  const { referenceNumber } = await sendBatch(api, await packed([twice, invoice(), twice]))
  const listed = await listInvoices(api, referenceNumber)
  const codes = listed
    .filter(({ invoiceNumber }) => invoiceNumber === twice.number)
    .map(({ status }) => status.code)
    .toSorted((a, b) => a - b)
  expect(codes, 'one accepted invoice and one duplicate').toEqual([200, 440])
})

test(...rule('sessions.batch.duplicates', 'accepted earlier'), async ({ open, invoice }) => {
  const desk = await open()
  const known = invoice()
  expect(await outcomeOfInvoice(desk, known.bytes)).toHaveSucceeded('invoice')
  const { referenceNumber } = await sendBatch(desk.api, await packed([known, invoice()]))
  const listed = await listInvoices(desk.api, referenceNumber)
  const again = listed.find(({ invoiceNumber }) => invoiceNumber === known.number)
  expect(again ?? { status: { code: 0 } }).toBeRejected('duplicate-invoice')
})
