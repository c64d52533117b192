import { listInvoices, nameOf, packed, sendBatch } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.errors-isolated'), async ({ login, invoice }) => {
  const { api } = await login()
  const good = [invoice(), invoice()]
  const broken = { bytes: api.codec.utf8('<Faktura>no invoice</Faktura>') }
  const [first, second] = good
  const batch = await packed([first!, broken, second!])
  const { settled, referenceNumber } = await sendBatch(api, batch)
  expect(settled).toHaveSucceeded('batchSession')
  const listed = await listInvoices(api, referenceNumber)
  expect(listed.length, 'invoices of the session').toBe(3)
  for (const row of listed)
    if (row.invoiceFileName === nameOf(1)) expect(row).toBeRejected('invoice-invalid')
    else expect(row).toHaveSucceeded('invoice')
})
