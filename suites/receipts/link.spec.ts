import { callReceiptLink } from '../../lib/flows/receipt.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { rule } from '../support/checks/rule.ts'
import { accept, fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('receipts.link.in-status'), async ({ open, invoice }) => {
  const desk = await open()
  const { receiptUrl } = await accept(desk, invoice().bytes)
  expect(receiptUrl, 'a receipt link in the status of an accepted invoice').toMatch(/^https?:/)
})

test(...rule('receipts.link.expires', 'after expiry'), async ({ open, login, invoice, clock }) => {
  const desk = await open()
  const { receiptUrl, body } = await accept(desk, invoice().bytes)
  const end = Date.parse(String(body['upoDownloadUrlExpirationDate']))
  if (receiptUrl === undefined || Number.isNaN(end))
    throw new Inconclusive('read the link', 'a link and its expiry in the status')
  await clock.set(end + 60_000)
  const { api } = await login({ context: desk.me.context })
  expect(await callReceiptLink(api, receiptUrl)).toBeRefused('link-expired')
})

test(...rule('receipts.link.expires', 'before expiry'), async ({ open, login, invoice, clock }) => {
  const desk = await open()
  const { receiptUrl, body } = await accept(desk, invoice().bytes)
  const end = Date.parse(String(body['upoDownloadUrlExpirationDate']))
  if (receiptUrl === undefined || Number.isNaN(end))
    throw new Inconclusive('read the link', 'a link and its expiry in the status')
  await clock.set(end - 60_000)
  const { api } = await login({ context: desk.me.context })
  expect(await callReceiptLink(api, receiptUrl), 'a minute before its end').toBeOk()
})

test(...rule('receipts.link.expires', 'fresh link'), async ({ open, login, invoice, clock }) => {
  const desk = await open()
  const { receiptUrl, body, referenceNumber } = await accept(desk, invoice().bytes)
  const end = Date.parse(String(body['upoDownloadUrlExpirationDate']))
  if (receiptUrl === undefined || Number.isNaN(end))
    throw new Inconclusive('read the link', 'a link and its expiry in the status')
  const statusNow = async () => {
    const { api } = await login({ context: desk.me.context })
    const path = {
      referenceNumber: desk.session.referenceNumber,
      invoiceReferenceNumber: referenceNumber,
    }
    return { api, status: await api.call('invoices.inSession', { path }) }
  }
  // Whoever asks meanwhile does not lengthen the life of a link.
  const begun = clock.now()
  for (const at of [begun + (end - begun) / 2, end - 60_000]) {
    await clock.set(at)
    const { api, status } = await statusNow()
    expect(await callReceiptLink(api, String(fields(status)['upoDownloadUrl']))).toBeOk()
  }
  await clock.set(end + 60_000)
  const { api, status } = await statusNow()
  const { upoDownloadUrl } = fields(status)
  expect(upoDownloadUrl, 'a fresh link').not.toBe(receiptUrl)
  expect(await callReceiptLink(api, String(upoDownloadUrl))).toBeOk()
  expect(await callReceiptLink(api, receiptUrl), 'the earlier link').toBeRefused('link-expired')
})

for (const [what, who, taken] of [
  ['seller', 'seller', true],
  ['buyer', 'buyer', true],
  ['another context', 'stranger', false],
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

/** Identifications of a buyer abroad that have the digits of a NIP. */
const abroad = {
  'an EU VAT number': (nip: string) => `<KodUE>DE</KodUE><NrVatUE>${nip}</NrVatUE>`,
  'a number of another country': (nip: string) => `<KodKraju>US</KodKraju><NrID>${nip}</NrID>`,
} as const

for (const [what, identification] of Object.entries(abroad))
  test(
    ...rule('receipts.link.parties-only', `another context, with the digits of ${what}`),
    async ({ open, login, another, invoice }) => {
      const desk = await open()
      const stranger = await another()
      const text = desk.api.codec.text(invoice({ buyer: stranger.nip }).bytes)
      const named = text.replaceAll(`<NIP>${stranger.nip}</NIP>`, identification(stranger.nip))
      expect(named, 'a document that names no such NIP').not.toContain(`<NIP>${stranger.nip}`)
      const { receiptUrl = '' } = await accept(desk, desk.api.codec.utf8(named))
      const { api } = await login({ context: stranger })
      expect(await callReceiptLink(api, receiptUrl)).toBeRefused('receipt-unknown')
    },
  )

test(
  ...rule('receipts.link.parties-only', 'seller, with one permission of any kind'),
  async ({ open, limited, invoice }) => {
    const { receiptUrl = '' } = await accept(await open(), invoice().bytes)
    for (const permission of ['InvoiceWrite', 'CredentialsRead']) {
      const { api } = await limited([permission])
      expect(await callReceiptLink(api, receiptUrl), `with ${permission} alone`).toBeOk()
    }
  },
)

test(...rule('receipts.link.parties-only', 'no token'), async ({ open, invoice, api }) => {
  const desk = await open()
  const { receiptUrl = '' } = await accept(desk, invoice().bytes)
  expect(await callReceiptLink(api, receiptUrl, null)).toBeClientError()
})
