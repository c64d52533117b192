import type { Client } from '../../lib/client.ts'
import { fetchReceipt } from '../../lib/flows/receipt.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import { issuedAround } from '../support/steps/filters.ts'
import type { MadeInvoice } from '../support/documents/invoice-source.ts'
import { isoDay } from '../../lib/local-time.ts'
import { spoilt, withInvalidAmount } from '../support/documents/malformed.ts'
import { wentWell } from '../support/judging/matchers.ts'
import { listInvoices, packed, sendBatch } from '../support/steps/packages.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll } from '../support/steps/searches.ts'
import { correctionOf, outcomeOfInvoice, recordOf } from '../support/steps/steps.ts'
import type { Desk } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

/** Whether an invoice counts as issued online or offline, as every operation reports it. */

const day = 24 * 3600 * 1000

/** The mode of an accepted invoice in its status, in the metadata and in the receipt. */
const modesReported = async (
  api: Client,
  record: Readonly<Record<string, unknown>>,
  sessionReferenceNumber: string,
  now: number,
): Promise<readonly unknown[]> => {
  const svcNumber = String(record['svcNumber'])
  const [found] = await findAll(api, { ...issuedAround(now), svcNumber }, [svcNumber])
  const invoiceReferenceNumber = String(record['referenceNumber'])
  const receipt = await fetchReceipt(api, { sessionReferenceNumber, invoiceReferenceNumber })
  const [document] = readReceipt(receipt.bytes).documents
  return [record['invoicingMode'], found?.['invoicingMode'], document?.mode]
}

/** Sends an invoice and returns the modes that are reported of it. */
const modesOf = async (
  desk: Desk,
  { bytes }: MadeInvoice,
  issued: number,
  declared: { readonly offlineMode: boolean; readonly hashOfCorrectedInvoice?: string },
): Promise<readonly unknown[]> => {
  const outcome = await outcomeOfInvoice(desk, bytes, declared)
  expect(outcome).toHaveSucceeded('invoice')
  return modesReported(desk.api, recordOf(outcome), desk.session.referenceNumber, issued)
}

const everywhere = 'the mode in the status, in a search and in the receipt'

for (const [what, offlineMode, age, mode] of [
  ['declared', true, [0], 'Offline'],
  ['issued earlier', false, [1, 40, 366], 'Offline'],
  ['online', false, [0], 'Online'],
] as const)
  test(...rule('invoices.mode', what), async ({ open, invoice, clock }) => {
    const desk = await open()
    const now = clock.now()
    // A rejected invoice of the session has no effect on the next one.
    await outcomeOfInvoice(desk, spoilt, { offlineMode: !offlineMode })
    for (const daysAgo of age) {
      const issued = now - daysAgo * day
      const made = invoice({ issueDate: isoDay(issued) })
      const modes = await modesOf(desk, made, issued, { offlineMode })
      expect(modes, `${everywhere}, ${daysAgo} days ago`).toEqual([mode, mode, mode])
    }
  })

for (const [what, offlineMode, mode] of [
  ['declared, batch', true, 'Offline'],
  ['online, batch', false, 'Online'],
] as const)
  test(...rule('invoices.mode', what), async ({ login, invoice, clock }) => {
    const { api } = await login()
    const earlier = invoice({ issueDate: isoDay(clock.now() - day) })
    const batch = await packed([{ bytes: spoilt }, invoice(), earlier, invoice()])
    const { referenceNumber } = await sendBatch(api, batch, { offlineMode })
    const rows = (await listInvoices(api, referenceNumber)).filter(wentWell)
    expect(rows.length, 'the accepted invoices of the package').toBe(3)
    for (const row of rows) {
      const isEarlier = row.invoiceNumber === earlier.number
      const issued = clock.now() - (isEarlier ? day : 0)
      const reported = await modesReported(api, row, referenceNumber, issued)
      const own = isEarlier ? 'Offline' : mode
      expect(reported, everywhere).toEqual([own, own, own])
    }
  })

test(...rule('invoices.mode', 'declared, correction'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const made = invoice()
  const broken = desk.api.codec.utf8(withInvalidAmount(desk.api.codec.text(made.bytes)))
  const refused = await outcomeOfInvoice(desk, broken, { offlineMode: true })
  expect(refused).toBeRejected('invoice-invalid')
  const modes = await modesOf(desk, made, clock.now(), await correctionOf(desk.api, broken))
  expect(modes, everywhere).toEqual(['Offline', 'Offline', 'Offline'])
})
