import { fetchReceipt } from '../../lib/flows/receipt.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import { issuedAround } from '../support/filters.ts'
import type { MadeInvoice } from '../support/invoice-source.ts'
import { isoDay } from '../support/invoice-source.ts'
import { listInvoices, packed, sendBatch } from '../support/packages.ts'
import { rule } from '../support/rule.ts'
import { findAll } from '../support/searches.ts'
import { outcomeOfInvoice, recordOf } from '../support/steps.ts'
import type { Desk } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** Whether an invoice counts as issued online or offline, as every operation reports it. */

const day = 24 * 3600 * 1000

/** Sends an invoice and returns its mode in the status, the metadata and the receipt. */
const modesOf = async (
  desk: Desk,
  { bytes }: MadeInvoice,
  now: number,
  offlineMode: boolean,
): Promise<readonly unknown[]> => {
  const outcome = await outcomeOfInvoice(desk, bytes, { offlineMode })
  expect(outcome).toHaveSucceeded('invoice')
  const record = recordOf(outcome)
  const svcNumber = String(record['svcNumber'])
  const [found] = await findAll(desk.api, { ...issuedAround(now), svcNumber }, [svcNumber])
  const receipt = await fetchReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: String(record['referenceNumber']),
  })
  const [document] = readReceipt(receipt.bytes).documents
  return [record['invoicingMode'], found?.['invoicingMode'], document?.mode]
}

const everywhere = 'the mode in the status, in a search and in the receipt'

for (const [what, offlineMode, daysAgo, mode] of [
  ['declared', true, 0, 'Offline'],
  ['issued earlier', false, 1, 'Offline'],
  ['online', false, 0, 'Online'],
] as const)
  test(...rule('invoices.mode', what), async ({ open, invoice, clock }) => {
    const desk = await open()
    const now = clock.now()
    const made = invoice({ issueDate: isoDay(now - daysAgo * day) })
    expect(await modesOf(desk, made, now, offlineMode), everywhere).toEqual([mode, mode, mode])
  })

for (const [what, offlineMode, mode] of [
  ['declared, batch', true, 'Offline'],
  ['online, batch', false, 'Online'],
] as const)
  test(...rule('invoices.mode', what), async ({ login, invoice }) => {
    const { api } = await login()
    const batch = await packed([invoice(), invoice()])
    const { referenceNumber } = await sendBatch(api, batch, { offlineMode })
    const modes = (await listInvoices(api, referenceNumber)).map((row) => row['invoicingMode'])
    expect(modes, 'the modes of the invoices of the package').toEqual([mode, mode])
  })
