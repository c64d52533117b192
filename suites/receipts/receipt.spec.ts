import { endpoints } from '../../contract/endpoints.ts'
import { sha256 } from '../../lib/crypto.ts'
import {
  callReceipt,
  callReceiptLink,
  fetchReceipt,
  receiptPages,
} from '../../lib/flows/receipt.ts'
import { readReceipt } from '../../lib/node/receipt.ts'
import type { Receipt } from '../../lib/node/receipt.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { observe } from '../support/explain.ts'
import { rule } from '../support/rule.ts'
import { accept, fateOfInvoice, fields, finish, recordOf } from '../support/steps.ts'
import type { Desk } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

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

/** Fills and closes a session, and reads its aggregate receipt. */
const aggregate = async (desk: Desk, invoice: () => { bytes: Uint8Array }) => {
  const accepted = [
    (await accept(desk, invoice().bytes)).svcNumber,
    (await accept(desk, invoice().bytes)).svcNumber,
  ]
  await fateOfInvoice(desk, desk.api.codec.utf8('<Faktura/>'))
  const [page] = receiptPages(await finish(desk))
  const document = await fetchReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    upoReferenceNumber: page?.referenceNumber ?? '',
  })
  return { accepted, receipt: readReceipt(document.bytes) }
}

test(...rule('receipts.session.verifies', 'schema'), async ({ open, invoice }) => {
  const { receipt } = await aggregate(await open(), invoice)
  test.skip(receipt.notValidated !== undefined, receipt.notValidated)
  expect(receipt.schemaProblems, 'what the schema says against the receipt').toEqual([])
})

test(...rule('receipts.session.verifies', 'signature'), async ({ open, invoice }) => {
  const { receipt } = await aggregate(await open(), invoice)
  expect(receipt.signed, 'a signature on the receipt').toBe(true)
  expect(receipt.signatureProblems, 'what speaks against the signature').toEqual([])
})

test(...rule('receipts.session.verifies', 'content'), async ({ open, invoice }) => {
  const desk = await open()
  const { receipt, accepted } = await aggregate(desk, invoice)
  expect(numbersOn(receipt).toSorted(), 'each accepted invoice once, no rejected one').toEqual(
    accepted.toSorted(),
  )
  expect(receipt.sessionReferenceNumber, 'the session on the receipt').toBe(
    desk.session.referenceNumber,
  )
  expect(receipt.page, 'the place of the page among the pages').toEqual({
    number: 1,
    of: 1,
    first: 1,
    last: accepted.length,
    documents: accepted.length,
  })
})

test(...rule('receipts.session.verifies', 'facts'), async ({ open, invoice }) => {
  const desk = await open()
  const made = invoice()
  const { svcNumber, referenceNumber } = await accept(desk, made.bytes)
  const document = await fetchReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  const { documents, context, formCode } = readReceipt(document.bytes)
  expect(context, 'the context on the receipt').toEqual({ kind: 'Nip', value: made.seller })
  expect(formCode, 'the form on the receipt').toBe('FA (3)')
  expect(documents, 'what the receipt says of the invoice').toMatchObject([
    {
      sellerNip: made.seller,
      serviceNumber: svcNumber,
      invoiceNumber: made.number,
      issueDate: made.issueDate,
      invoiceHash: desk.api.codec.base64(await sha256(made.bytes)),
    },
  ])
})

test(...rule('receipts.session.verifies', 'moments'), async ({ open, invoice, target }) => {
  test.skip(!target.confirms('invoice-status'), 'the dates of the status are not confirmed')
  const desk = await open()
  const { referenceNumber, body } = await accept(desk, invoice().bytes)
  const document = await fetchReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  const told = (name: string) => Date.parse(String(body[name]))
  expect(
    readReceipt(document.bytes).documents.map(({ sentAt, numberedAt, mode }) => ({
      sent: Date.parse(sentAt),
      numbered: Date.parse(numberedAt),
      mode,
    })),
    'when and how the invoice was sent and when it got its number, as its status has it',
  ).toEqual([
    {
      sent: told('invoicingDate'),
      numbered: told('acquisitionDate'),
      mode: body['invoicingMode'],
    },
  ])
})

test(...rule('receipts.link.in-status'), async ({ open, invoice }) => {
  const desk = await open()
  const { receiptUrl } = await accept(desk, invoice().bytes)
  expect(receiptUrl, 'a receipt link in the status of an accepted invoice').toMatch(/^https?:/)
})

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

test(...rule('receipts.ways', 'resend'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const first = await accept(desk, bytes)
  const again = await fateOfInvoice(desk, bytes)
  expect(again).toBeRejected('duplicate-invoice')
  const { originalSessionReferenceNumber, originalSvcNumber } = recordOf(again)
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: String(originalSessionReferenceNumber),
    svcNumber: String(originalSvcNumber),
  })
  expect(receipt).toBeOk()
  expect(numbersOn(readReceipt(receipt.bytes))).toEqual([first.svcNumber])
})

test(...rule('receipts.ways', 'send'), async ({ login, invoice }) => {
  const { api } = await login()
  const sent = await api.call('invoices.send', { body: invoice().bytes })
  expect(sent).toBeOk()
  const { upoDownloadUrl } = fields(sent)
  test.skip(typeof upoDownloadUrl !== 'string', 'the answer to the send carries no receipt link')
  expect(await callReceiptLink(api, String(upoDownloadUrl))).toBeOk()
})

test(...rule('receipts.independent'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber, svcNumber } = await accept(desk, invoice().bytes)
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: desk.session.referenceNumber,
    invoiceReferenceNumber: referenceNumber,
  })
  const document = await desk.api.call('invoices.bySvcNumber', { path: { svcNumber } })
  observe(`the receipt was answered with ${receipt.status}, the invoice with ${document.status}`)
  expect(receipt).toBeOk()
})

test(...rule('receipts.link.expires', 'expires'), async ({ open, login, invoice, clock }) => {
  const desk = await open()
  const { receiptUrl, body } = await accept(desk, invoice().bytes)
  const end = Date.parse(String(body['upoDownloadUrlExpirationDate']))
  if (receiptUrl === undefined || Number.isNaN(end))
    throw new Inconclusive('read the link', 'a link and its expiry in the status')
  await clock.set(end + 60_000)
  const { api } = await login({ context: desk.me.context })
  expect(await callReceiptLink(api, receiptUrl)).toBeRefused('link-expired')
})

test(...rule('receipts.link.expires', 'not before'), async ({ open, login, invoice, clock }) => {
  const desk = await open()
  const { receiptUrl, body } = await accept(desk, invoice().bytes)
  const end = Date.parse(String(body['upoDownloadUrlExpirationDate']))
  if (receiptUrl === undefined || Number.isNaN(end))
    throw new Inconclusive('read the link', 'a link and its expiry in the status')
  await clock.set(end - 60_000)
  const { api } = await login({ context: desk.me.context })
  expect(await callReceiptLink(api, receiptUrl), 'a minute before its end').toBeOk()
})

test(...rule('receipts.link.expires', 'fresh'), async ({ open, login, invoice, clock }) => {
  const desk = await open()
  const { receiptUrl, body, referenceNumber } = await accept(desk, invoice().bytes)
  const end = Date.parse(String(body['upoDownloadUrlExpirationDate']))
  if (receiptUrl === undefined || Number.isNaN(end))
    throw new Inconclusive('read the link', 'a link and its expiry in the status')
  await clock.set(end + 60_000)
  const { api } = await login({ context: desk.me.context })
  const status = await api.call('invoices.inSession', {
    path: {
      referenceNumber: desk.session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
    },
  })
  const { upoDownloadUrl } = fields(status)
  expect(upoDownloadUrl, 'a fresh link').not.toBe(receiptUrl)
  expect(await callReceiptLink(api, String(upoDownloadUrl))).toBeOk()
})

for (const [what, who, taken] of [
  ['issuer', 'seller', true],
  ['buyer', 'buyer', true],
  ['other', 'stranger', false],
] as const) {
  test(...rule('receipts.link.parties-only', what), async ({ open, login, another, invoice }) => {
    const desk = await open()
    const buyer = await another()
    const { receiptUrl = '' } = await accept(desk, invoice({ buyer: buyer.nip }).bytes)
    const contexts = { seller: desk.me.context, buyer, stranger: await another() }
    const { api } = await login({ context: contexts[who] })
    const answer = await callReceiptLink(api, receiptUrl)
    if (taken) expect(answer).toBeOk()
    else expect(answer).toBeRefused('receipt-unknown')
  })
}

test(...rule('receipts.link.parties-only', 'nobody'), async ({ open, invoice, api }) => {
  const desk = await open()
  const { receiptUrl = '' } = await accept(desk, invoice().bytes)
  expect(await callReceiptLink(api, receiptUrl, null)).toBeClientError()
})

test(...rule('receipts.not-by-number-alone'), async ({ open, invoice, api }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const named = Object.values(endpoints)
    .map(({ path }: { path: string }) => path)
    .filter((path) => path.includes('/upo') && !path.includes('/sessions/{referenceNumber}'))
  expect(named, 'operations of the contract that give a receipt without a session').toEqual([])
  for (const path of [
    `/invoices/svc/${svcNumber}/upo`,
    `/upo/${svcNumber}`,
    `/receipts/${svcNumber}`,
  ]) {
    const bearer = desk.me.accessToken
    expect(await api.request('GET', path, { bearer }), path).toBeClientError()
  }
})

test(...rule('receipts.not-by-number-alone', 'foreign session'), async ({ open, invoice }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const other = await open({ me: desk.me })
  const receipt = await callReceipt(desk.api, {
    sessionReferenceNumber: other.session.referenceNumber,
    svcNumber,
  })
  expect(receipt).toBeRefused('receipt-unknown')
})
