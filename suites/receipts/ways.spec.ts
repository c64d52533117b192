import { callReceipt, callReceiptLink } from '../../lib/flows/receipt.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import type { Receipt } from '../../lib/node/receipt.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, outcomeOfInvoice, fields, recordOf } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const numbersOn = ({ documents }: Receipt): string[] =>
  documents.map(({ serviceNumber }) => serviceNumber)

test(...rule('receipts.ways', 'status link'), async ({ open, invoice }) => {
  const desk = await open()
  const { receiptUrl, svcNumber } = await accept(desk, invoice().bytes)
  if (receiptUrl === undefined) throw new Inconclusive('follow the link', 'a link in the status')
  const receipt = await callReceiptLink(desk.api, receiptUrl)
  expect(receipt).toBeOk()
  expect(numbersOn(readReceipt(receipt.bytes)), 'the service numbers on the receipt').toEqual([
    svcNumber,
  ])
})

test(...rule('receipts.ways', 'duplicate'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const first = await accept(desk, bytes)
  const again = await outcomeOfInvoice(desk, bytes)
  expect(again).toBeRejected('duplicate-invoice')
  const { originalSessionReferenceNumber, originalSvcNumber } = recordOf(again)
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: String(originalSessionReferenceNumber),
    svcNumber: String(originalSvcNumber),
  })
  expect(receipt).toBeOk()
  expect(numbersOn(readReceipt(receipt.bytes))).toEqual([first.svcNumber])
})

test(...rule('receipts.ways', 'response'), async ({ login, invoice }) => {
  const { api } = await login()
  const sent = await api.call('invoices.send', { body: invoice().bytes })
  expect(sent).toBeOk()
  const { upoDownloadUrl } = fields(sent)
  test.skip(
    typeof upoDownloadUrl !== 'string',
    'the response to the submission contains no receipt link',
  )
  expect(await callReceiptLink(api, String(upoDownloadUrl))).toBeOk()
})
