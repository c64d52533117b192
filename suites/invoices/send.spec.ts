import type { Client } from '../../lib/client.ts'
import { openOnline } from '../../lib/flows/session.ts'
import { expectText } from '../../lib/outcome.ts'
import { formCodes } from '../support/forms.ts'
import { rule } from '../support/rule.ts'
import { accept, outcomeOfInvoice, settleById } from '../support/steps.ts'
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
  expect(await outcomeOf(api, bytes)).toHaveSucceeded('invoice')
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  expect(await outcomeOfInvoice({ api, session }, bytes)).toBeRejected('duplicate-invoice')
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
