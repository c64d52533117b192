import type { Client } from '../../lib/client.ts'
import { withInvalidAmount } from '../support/documents/malformed.ts'
import { rule } from '../support/checks/rule.ts'
import { outcomeOfInvoice } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const xmlOf = (api: Client, bytes: Uint8Array): string => api.codec.text(bytes)

test(...rule('invoices.rejected.may-be-resent'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const spoiled = withInvalidAmount(xmlOf(desk.api, bytes))
  expect(await outcomeOfInvoice(desk, desk.api.codec.utf8(spoiled))).toBeRejected('invoice-invalid')
  expect(await outcomeOfInvoice(desk, bytes)).toHaveSucceeded('invoice')
})

test(...rule('invoices.rejected.isolated'), async ({ open, invoice }) => {
  const desk = await open()
  const bad = desk.api.codec.utf8('<Faktura/>')
  const outcomes = [
    await outcomeOfInvoice(desk, invoice().bytes),
    await outcomeOfInvoice(desk, bad),
    await outcomeOfInvoice(desk, invoice().bytes),
  ] as const
  expect(outcomes[0]).toHaveSucceeded('invoice')
  expect(outcomes[1]).toBeRejected('invoice-invalid')
  expect(outcomes[2]).toHaveSucceeded('invoice')
})
