import type { Client } from '../../lib/client.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { expectText } from '../../lib/outcome.ts'
import { issuedAround } from '../support/filters.ts'
import { formCodes } from '../support/forms.ts'
import { isoDay } from '../support/invoice-source.ts'
import { rule } from '../support/rule.ts'
import { findAll } from '../support/searches.ts'
import { accept, fields, outcomeOfInvoice, recordOf, settleById } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

test(...rule('invoices.send.alternative', 'with the permission'), async ({ limited, invoice }) => {
  const { api } = await limited(['InvoiceWrite'])
  expect(await api.call('invoices.send', { body: invoice().bytes })).toBeOk()
})

test(
  ...rule('invoices.send.alternative', 'without the permission'),
  async ({ limited, invoice }) => {
    const { api } = await limited(['InvoiceRead'])
    const answer = await api.call('invoices.send', { body: invoice().bytes })
    expect(answer).toBeRefused('missing-permission')
  },
)

/** The outcome of an invoice that is sent without a session: an immediate refusal, or its final state. */
const outcomeOf = async (api: Client, body: Uint8Array | string) => {
  const sent = await api.call('invoices.send', { body })
  if (sent.status > 299) return sent
  return settleById(api, expectText(sent, 'send an invoice', 'referenceNumber'))
}

test(
  ...rule('invoices.send.alternative', 'processed, first half hour of FA(3) in Warsaw'),
  async ({ login, invoice, clock }) => {
    await clock.set(Date.parse('2026-02-01T00:20:00+01:00'))
    const { api } = await login()
    expect(await outcomeOf(api, invoice({ schema: 'fa2' }).bytes)).toBeRejected('invoice-invalid')
    expect(await outcomeOf(api, invoice().bytes)).toHaveSucceeded('invoice')
  },
)

test(...rule('invoices.send.alternative', 'processed'), async ({ login, invoice }) => {
  const { api } = await login()
  const { bytes } = invoice()
  const sent = await api.call('invoices.send', { body: bytes })
  expect(sent).toBeOk()
  const path = { invoiceId: String(fields(sent)['referenceNumber']) }
  const look = await api.call('invoices.status', { path })
  expect(look, 'the status by the reference that was returned').toBeOk()
  expect(await settleById(api, path.invoiceId)).toHaveSucceeded('invoice')
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  expect(await outcomeOfInvoice({ api, session }, bytes)).toBeRejected('duplicate-invoice')
})

test(...rule('invoices.send.alternative', 'mode'), async ({ login, invoice, clock }) => {
  const { api } = await login()
  const earlier = isoDay(clock.now() - 3 * 24 * 3_600_000)
  const numbers: string[] = []
  for (const made of [invoice(), invoice({ issueDate: earlier })]) {
    const outcome = await outcomeOf(api, made.bytes)
    expect(outcome).toHaveSucceeded('invoice')
    numbers.push(String(recordOf(outcome)['svcNumber']))
  }
  const found = await findAll(api, issuedAround(clock.now()), numbers)
  expect(
    numbers.map((number) => found.find(({ svcNumber }) => svcNumber === number)?.['invoicingMode']),
    'the modes of an invoice of today and of an earlier one',
  ).toEqual(['Online', 'Offline'])
})

for (const [what, alter] of [
  ['schema', (xml: string) => xml.replace(/<P_2>.*?<\/P_2>/, '')],
  ['not XML', () => 'no XML at all'],
  ['not well-formed', (xml: string) => xml.slice(0, -20)],
  ['another root element', () => '<Rachunek/>'],
] as const)
  test(...rule('invoices.send.alternative', `invalid, ${what}`), async ({ login, invoice }) => {
    const { api } = await login()
    const { bytes } = invoice()
    const outcome = await outcomeOf(api, alter(new TextDecoder().decode(bytes)))
    expect(outcome).toBeRejected('invoice-invalid')
    expect(await outcomeOf(api, bytes), 'the invoice itself').toHaveSucceeded('invoice')
  })

test(...rule('invoices.send.alternative', 'duplicate'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  await accept(desk, bytes)
  expect(await outcomeOf(desk.api, bytes), 'sent before in a session').toBeRejected(
    'duplicate-invoice',
  )
  const { bytes: plain } = invoice()
  expect(await outcomeOf(desk.api, plain)).toHaveSucceeded('invoice')
  expect(await outcomeOf(desk.api, plain), 'sent before without a session').toBeRejected(
    'duplicate-invoice',
  )
})

test(
  ...rule('invoices.send.alternative', 'foreign seller'),
  async ({ login, another, invoice }) => {
    const { api } = await login()
    const { nip } = await another()
    const { bytes } = invoice({ seller: nip })
    expect(await outcomeOf(api, bytes)).toBeRejected('seller-not-allowed')
  },
)
