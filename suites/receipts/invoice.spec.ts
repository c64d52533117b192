import { callReceipt } from '../../lib/flows/receipt.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import type { Receipt } from '../../lib/node/receipt.ts'
import { withInvalidAmount } from '../support/documents/malformed.ts'
import { rule } from '../support/checks/rule.ts'
import { correctionOf, accept, finish, outcomeOfInvoice } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const numbersOn = ({ documents }: Receipt): string[] =>
  documents.map(({ serviceNumber }) => serviceNumber)

test(...rule('receipts.invoice.carries-number', 'by reference'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber, svcNumber } = await accept(desk, invoice().bytes)
  await finish(desk)
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  expect(receipt).toBeOk()
  expect(numbersOn(readReceipt(receipt.bytes)), 'the service numbers on the receipt').toEqual([
    svcNumber,
  ])
})

test(...rule('receipts.invoice.carries-number', 'by service number'), async ({ open, invoice }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  await finish(desk)
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    svcNumber,
  })
  expect(receipt).toBeOk()
  expect(numbersOn(readReceipt(receipt.bytes)), 'the service numbers on the receipt').toEqual([
    svcNumber,
  ])
})

test(
  ...rule('receipts.invoice.carries-number', 'technical correction'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { codec } = desk.api
    const { bytes } = invoice()
    const broken = codec.utf8(withInvalidAmount(codec.text(bytes)))
    expect(await outcomeOfInvoice(desk, broken, { offlineMode: true })).toBeRejected(
      'invoice-invalid',
    )
    const correction = await correctionOf(desk.api, broken)
    const { referenceNumber, svcNumber } = await accept(desk, bytes, correction)
    const sessionReferenceNumber = desk.session.referenceNumber
    for (const by of [{ invoiceReferenceNumber: referenceNumber }, { svcNumber }]) {
      const receipt = await callReceipt(desk.api, { sessionReferenceNumber, ...by })
      expect(receipt, Object.keys(by)[0]).toBeOk()
      expect(numbersOn(readReceipt(receipt.bytes)), Object.keys(by)[0]).toEqual([svcNumber])
    }
  },
)
