import { wentWell } from '../../support/matchers.ts'
import { listInvoices, packed, sendBatch } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { outcomeOfInvoice } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.duplicates', 'within the package'), async ({ login, invoice }) => {
  const { api } = await login()
  const twice = invoice()
  const { referenceNumber } = await sendBatch(api, await packed([twice, invoice(), twice]))
  const listed = await listInvoices(api, referenceNumber)
  const rows = listed.filter(({ invoiceNumber }) => invoiceNumber === twice.number)
  expect(rows.length, 'rows of the invoice that is there twice').toBe(2)
  expect(rows.filter(wentWell).length, 'accepted ones').toBe(1)
  for (const row of rows)
    if (wentWell(row)) expect(row).toHaveSucceeded('invoice')
    else expect(row).toBeRejected('duplicate-invoice')
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
