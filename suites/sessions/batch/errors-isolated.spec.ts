import { spoilt } from '../../support/malformed.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.errors-isolated'), async ({ login, invoice }) => {
  const { api } = await login()
  const broken = { bytes: spoilt }
  const empty = { bytes: new Uint8Array() }
  const isGood = (place: number) => place % 6 === 0
  const count = 13
  const documents = Array.from({ length: count }, (_, place) =>
    isGood(place) ? invoice() : place === 2 ? empty : broken,
  )
  const batch = await packed(documents)
  const { settled, referenceNumber } = await sendBatch(api, batch)
  expect(settled).toHaveSucceeded('batchSession')
  const listed = await listInvoices(api, referenceNumber)
  expect(listed.length, 'invoices of the session').toBe(count)
  const good = new Set(documents.flatMap((_, place) => (isGood(place) ? [nameOf(place)] : [])))
  for (const row of listed)
    if (good.has(String(row.invoiceFileName))) expect(row).toHaveSucceeded('invoice')
    else expect(row).toBeRejected('invoice-invalid')
})
