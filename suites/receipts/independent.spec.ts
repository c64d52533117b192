import { callReceipt } from '../../lib/flows/receipt.ts'
import { observe } from '../support/run/explain.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, retrieve } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('receipts.independent'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber, svcNumber } = await accept(desk, invoice().bytes)
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  const document = await retrieve(desk.api, 'invoices.bySvcNumber', { svcNumber })
  observe(`the receipt was answered with ${receipt.status}, the invoice with ${document.status}`)
  expect(receipt).toBeOk()
})
