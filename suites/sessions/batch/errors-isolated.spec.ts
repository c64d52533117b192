import { spoilt, withInvalidAmount } from '../../support/malformed.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../../support/packages.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.errors-isolated'), async ({ login, invoice }) => {
  const { api } = await login()
  const { codec } = api
  const broken = { bytes: spoilt }
  const faults = [{ bytes: codec.utf8('<Faktura') }, { bytes: new Uint8Array() }]
  const count = 13
  // The package begins and ends with what is right, and then with what is not.
  for (const first of [0, 2]) {
    const isGood = (place: number) => place % 6 === first
    const documents: { bytes: Uint8Array }[] = Array.from({ length: count }, (_, place) =>
      isGood(place) ? invoice() : (faults[place - 2 + first] ?? broken),
    )
    // One that is not valid has the number of the right one that follows.
    const [next] = documents.slice(first + 6)
    const sameNumber = withInvalidAmount(codec.text(next!.bytes))
    documents[first + 5] = { bytes: codec.utf8(sameNumber) }
    const batch = await packed(documents)
    const { settled, referenceNumber } = await sendBatch(api, batch)
    expect(settled).toHaveSucceeded('batchSession')
    const listed = await listInvoices(api, referenceNumber)
    expect(listed.length, 'invoices of the session').toBe(count)
    const good = new Set(documents.flatMap((_, place) => (isGood(place) ? [nameOf(place)] : [])))
    for (const row of listed)
      if (good.has(String(row.invoiceFileName))) expect(row).toHaveSucceeded('invoice')
      else expect(row).toBeRejected('invoice-invalid')
  }
})
