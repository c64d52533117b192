import { callReceipt } from '../../lib/flows/receipt.ts'
import { rule } from '../support/rule.ts'
import { accept } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('receipts.not-by-number-alone'), async ({ open, invoice, api }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  for (const path of [
    `/invoices/svc/${svcNumber}/upo`,
    `/upo/${svcNumber}`,
    `/receipts/${svcNumber}`,
  ]) {
    const bearer = desk.me.accessToken
    expect(await api.request('GET', path, { bearer }), path).toBeClientError()
  }
})

test(...rule('receipts.not-by-number-alone', 'another session'), async ({ open, invoice }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const other = await open({ me: desk.me })
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: other.session.referenceNumber,
    svcNumber,
  })
  expect(receipt).toBeRefused('receipt-unknown')
})
