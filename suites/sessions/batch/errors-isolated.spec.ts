import { spoilt, withInvalidAmount } from '../../support/documents/malformed.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../../support/steps/packages.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

test(...rule('sessions.batch.errors-isolated'), async ({ login, invoice }) => {
  const { api } = await login()
  const { codec } = api
  const faults = [codec.utf8('<Faktura'), spoilt, new Uint8Array()]
  const places = Array.from({ length: 13 }, (_, place) => place)
  // A package that begins and ends with what is right, one that does so with what is not, and one with a single right
  // invoice, its last.
  for (const good of [[0, 6, 12], [2, 8], [12]]) {
    const documents: { bytes: Uint8Array }[] = places.map((place) =>
      good.includes(place) ? invoice() : { bytes: faults[place % faults.length]! },
    )
    // One that is not valid has the number of the right one that follows.
    const last = good.at(-1)!
    const sameNumber = withInvalidAmount(codec.text(documents[last]!.bytes))
    documents[last - 1] = { bytes: codec.utf8(sameNumber) }
    const batch = await packed(documents)
    const { settled, referenceNumber } = await sendBatch(api, batch)
    expect(settled).toHaveSucceeded('batchSession')
    const listed = await listInvoices(api, referenceNumber)
    expect(listed.length, 'invoices of the session').toBe(places.length)
    const names = new Set(good.map(nameOf))
    for (const row of listed)
      if (names.has(String(row.invoiceFileName))) expect(row).toHaveSucceeded('invoice')
      else expect(row).toBeRejected('invoice-invalid')
  }
})
