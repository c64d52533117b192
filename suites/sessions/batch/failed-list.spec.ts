import { pageSizesOf } from '../../../contract/endpoints.ts'
import { wentWell } from '../../support/matchers.ts'
import { spoilt } from '../../support/malformed.ts'
import { listInvoices, nameOf, packed, sendBatch } from '../../support/packages.ts'
import { expectReason } from '../../support/reasons.ts'
import { rule } from '../../support/rule.ts'
import { withoutRates } from '../../support/target.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('sessions.batch.failed-list'), async ({ login, invoice }) => {
  const { api } = await login()
  const broken = { bytes: spoilt }
  const { referenceNumber } = await sendBatch(api, await packed([invoice(), broken, broken]))
  const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
  expect(failed.length, 'failed invoices').toBe(2)
  const accepted = (await listInvoices(api, referenceNumber)).filter(wentWell)
  for (const row of failed) {
    expect(row).toBeRejected('invoice-invalid')
    expectReason(row, ...accepted)
  }
  const names = new Set(failed.map(({ invoiceFileName }) => invoiceFileName))
  expect(names, 'names of the failed files').toEqual(new Set([nameOf(1), nameOf(2)]))
})

test(
  ...rule('sessions.batch.failed-list', 'more than a thousand'),
  async ({ login, invoice, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const broken = (pageSizesOf('sessions.failed')?.maximum ?? 0) + 1
    const documents = Array.from({ length: broken }, () => ({ bytes: spoilt }))
    const { referenceNumber } = await sendBatch(api, await packed([invoice(), ...documents]))
    const failed = await listInvoices(api, referenceNumber, 'sessions.failed')
    expect(failed.length, 'rows over all pages').toBe(broken)
    const names = new Set(failed.map(({ invoiceFileName }) => invoiceFileName))
    expect(names.size, 'failed files, each once').toBe(broken)
    expect(names.has(nameOf(0)), 'whether the accepted one is among them').toBe(false)
  },
)
