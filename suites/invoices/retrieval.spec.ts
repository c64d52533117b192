import { sha256 } from '../../lib/crypto.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { issuedAround } from '../support/filters.ts'
import { formCodes } from '../support/forms.ts'
import { offered } from '../support/offered.ts'
import { rule } from '../support/rule.ts'
import { findAll } from '../support/searches.ts'
import { accept, fateOfInvoice, fields, recordOf, reported, settleById } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('invoices.get.by-service-number'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const { svcNumber } = await accept(desk, bytes)
  const answer = await desk.api.call('invoices.bySvcNumber', { path: { svcNumber } })
  expect(answer).toBeOk()
  expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
})

test(...rule('invoices.get.by-invoice-number', 'found'), async ({ open, invoice, rng }) => {
  const desk = await open()
  const { bytes, number } = invoice({ number: `F-${rng.digits(10)}` })
  await accept(desk, bytes)
  const answer = await desk.api.call('invoices.byNumber', { path: { invoiceNumber: number } })
  expect(answer).toBeOk()
  expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
})

test(...rule('invoices.get.by-invoice-number', 'slash'), async ({ open, invoice, rng }) => {
  const desk = await open()
  const { bytes, number } = invoice({ number: `F/${rng.digits(6)}/2026 ą` })
  await accept(desk, bytes)
  const answer = await desk.api.call('invoices.byNumber', { path: { invoiceNumber: number } })
  expect(answer).toBeOk()
  expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
})

test(...rule('invoices.get.by-invoice-number', 'ambiguous'), async ({ open, invoice, rng }) => {
  const desk = await open()
  const number = `F-${rng.digits(10)}`
  await accept(desk, invoice({ number, kind: 'VAT' }).bytes)
  await accept(desk, invoice({ number, kind: 'UPR', lines: 1 }).bytes)
  const answer = await desk.api.call('invoices.byNumber', { path: { invoiceNumber: number } })
  expect(answer).toBeRefused('invoice-number-ambiguous')
})

test(...rule('invoices.status.outcome', 'by id'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber, svcNumber } = await accept(desk, invoice().bytes)
  const answer = await desk.api.call('invoices.status', { path: { invoiceId: referenceNumber } })
  expect(answer).toBeOk()
  expect(reported(answer)).toHaveSucceeded('invoice')
  expect(fields(answer)['svcNumber'], 'the number that was assigned').toBe(svcNumber)
})

test(...rule('invoices.status.outcome', 'described'), async ({ open, invoice, clock, target }) => {
  test.skip(!target.confirms('invoice-status'), 'the fields of the status are not confirmed')
  const desk = await open()
  await accept(desk, invoice().bytes)
  const { bytes, number } = invoice()
  const { svcNumber, body } = await accept(desk, bytes)
  const [found] = await findAll(desk.api, { ...issuedAround(clock.now()), svcNumber }, [svcNumber])
  expect(body, 'what the status says of the second invoice of a session').toMatchObject({
    ordinalNumber: 2,
    invoiceNumber: number,
    invoiceHash: desk.api.codec.base64(await sha256(bytes)),
  })
  const moments = (told: Readonly<Record<string, unknown>> | undefined) =>
    ['invoicingDate', 'acquisitionDate'].map((name) => Date.parse(String(told?.[name])))
  expect(moments(body), 'the dates that a search tells too').toEqual(moments(found))
  for (const moment of moments(body))
    expect(Math.abs(moment - clock.now()), 'milliseconds from the present').toBeLessThan(600_000)
})

test(...rule('invoices.status.outcome', 'by service number'), async ({ open, invoice }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const answer = await desk.api.call('invoices.statusBySvcNumber', { path: { svcNumber } })
  expect(answer).toBeOk()
  expect(reported(answer)).toHaveSucceeded('invoice')
  expect(fields(answer)['svcNumber'], 'the number that was assigned').toBe(svcNumber)
})

test(...rule('invoices.status.outcome', 'rejected'), async ({ open }) => {
  const desk = await open()
  const fate = await fateOfInvoice(desk, desk.api.codec.utf8('<Faktura/>'))
  expect(fate).toBeRejected('invoice-invalid')
  const { referenceNumber } = recordOf(fate) as { referenceNumber: string }
  const answer = await desk.api.call('invoices.status', { path: { invoiceId: referenceNumber } })
  expect(answer).toBeOk()
  expect(reported(answer)).toBeRejected('invoice-invalid')
})

test(...rule('invoices.status.session-reference'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber, svcNumber } = await accept(desk, invoice().bytes)
  for (const answer of [
    await desk.api.call('invoices.status', { path: { invoiceId: referenceNumber } }),
    await desk.api.call('invoices.statusBySvcNumber', { path: { svcNumber } }),
  ])
    expect(fields(answer)['sessionReferenceNumber'], 'the session of the invoice').toBe(
      desk.session.referenceNumber,
    )
})

test(
  ...rule('invoices.get.parties-only', 'stranger'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const { bytes, number } = invoice({ buyer: (await another()).nip })
    const { svcNumber, referenceNumber } = await accept(desk, bytes)
    const stranger = await login({ context: await another() })
    const path = { svcNumber, invoiceNumber: number, invoiceId: referenceNumber }
    const ways = offered(
      'invoices.bySvcNumber',
      'invoices.byNumber',
      'invoices.statusBySvcNumber',
      'invoices.status',
    )
    for (const operation of ways) {
      const answer = await stranger.api.call(operation, { path })
      expect(answer).toBeRefused('invoice-unknown')
      expect(answer.text, 'nothing of the invoice').not.toContain('Faktura')
    }
  },
)

test(
  ...rule('invoices.get.parties-only', 'buyer may'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const buyer = await another()
    const { bytes } = invoice({ buyer: buyer.nip })
    const { svcNumber } = await accept(desk, bytes)
    const { api } = await login({ context: buyer })
    const answer = await api.call('invoices.bySvcNumber', { path: { svcNumber } })
    expect(answer).toBeOk()
    expect(Buffer.from(answer.bytes).equals(bytes), 'the invoice byte for byte').toBe(true)
  },
)

test(...rule('invoices.get.parties-only', 'permission'), async ({ open, invoice, limited }) => {
  const desk = await open()
  const { svcNumber } = await accept(desk, invoice().bytes)
  const writer = await limited(['InvoiceWrite'])
  const answer = await writer.api.call('invoices.bySvcNumber', { path: { svcNumber } })
  expect(answer).toBeRefused('missing-permission')
})

test(...rule('invoices.get.rejected-absent'), async ({ open, invoice, target }) => {
  const desk = await open()
  const made = invoice()
  const text = desk.api.codec.text(made.bytes).replace(/<P_15>.*?<\/P_15>/, '<P_15>one</P_15>')
  const fate = await fateOfInvoice(desk, desk.api.codec.utf8(text))
  expect(fate).toBeRejected('invoice-invalid')
  for (const operation of offered('invoices.byNumber'))
    expect(await desk.api.call(operation, { path: { invoiceNumber: made.number } })).toBeRefused(
      'invoice-unknown',
    )
  const { referenceNumber } = recordOf(fate) as { referenceNumber: string }
  const byReference = await desk.api.call('invoices.bySvcNumber', {
    path: { svcNumber: referenceNumber },
  })
  expect(byReference).toBeClientError()
  const issued = await accept(desk, invoice().bytes)
  const found = await findAll(desk.api, issuedAround(target.now()), [issued.svcNumber])
  expect(
    found.map(({ invoiceNumber }) => invoiceNumber),
    'what a search finds',
  ).not.toContain(made.number)
})

test(...rule('invoices.send.alternative', 'accepted'), async ({ limited, invoice }) => {
  const { api } = await limited(['InvoiceWrite'])
  expect(await api.call('invoices.send', { body: invoice().bytes })).toBeOk()
})

test(...rule('invoices.send.alternative', 'refused'), async ({ limited, invoice }) => {
  const { api } = await limited(['InvoiceRead'])
  const answer = await api.call('invoices.send', { body: invoice().bytes })
  expect(answer).toBeRefused('missing-permission')
})

test(...rule('invoices.send.alternative', 'processed'), async ({ login, invoice }) => {
  const { api } = await login()
  const { bytes } = invoice()
  const sent = await api.call('invoices.send', { body: bytes })
  expect(sent).toBeOk()
  const { referenceNumber } = fields(sent) as { referenceNumber: string }
  const settled = await settleById(api, referenceNumber)
  expect(settled).toHaveSucceeded('invoice')
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  expect(await fateOfInvoice({ api, session }, bytes)).toBeRejected('duplicate-invoice')
})
