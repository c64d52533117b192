import { spoilt } from '../../support/malformed.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.failed-list'), async ({ login, invoice }) => {
  const { api } = await login()
  const broken = { bytes: spoilt }
  const { referenceNumber } = await sendBatch(api, await packed([invoice(), broken, broken]))
  const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
  expect(failed.length, 'failed invoices').toBe(2)
  for (const row of failed) {
    expect(row).toBeRejected('invoice-invalid')
    expect(row.status.description, 'a description of the failure').toMatch(/\S/)
  }
  const names = new Set(failed.map(({ invoiceFileName }) => invoiceFileName))
  expect(names, 'names of the failed files').toEqual(new Set([nameOf(1), nameOf(2)]))
})
