import { openOnline } from '../../lib/flows/session.ts'
import { issuedAround } from '../support/steps/filters.ts'
import { formCodes } from '../support/checks/forms.ts'
import { authorizeSelfInvoicing } from '../support/callers/grants.ts'
import { spellingsOf } from '../support/answers/media-types.ts'
import { isoDay } from '../../lib/local-time.ts'
import { selfInvoiced } from '../support/documents/parties.ts'
import { rule } from '../support/checks/rule.ts'
import { mintToken } from '../support/callers/service-token.ts'
import { findAll } from '../support/steps/searches.ts'
import {
  accept,
  fields,
  outcomeOfInvoice,
  outcomeOfSending,
  recordOf,
  settleById,
} from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('invoices.send.alternative', 'with the permission'), async ({ limited, invoice }) => {
  const { api } = await limited(['InvoiceWrite'])
  expect(await api.call('invoices.send', { body: invoice().bytes })).toBeOk()
  for (const media of spellingsOf('application/xml'))
    expect(await api.call('invoices.send', { body: invoice().bytes, media }), media).toBeOk()
})

test(
  ...rule('invoices.send.alternative', 'without the permission'),
  async ({ limited, invoice }) => {
    const { api } = await limited(['InvoiceRead'])
    const answer = await api.call('invoices.send', { body: invoice().bytes })
    expect(answer).toBeRefused('missing-permission')
  },
)

test(
  ...rule('invoices.send.alternative', 'without the permission, by a service token'),
  async ({ login, invoice }) => {
    const me = await login()
    const { token, context } = await mintToken(me, ['InvoiceRead'])
    const { api } = await login({ context, token })
    const answer = await api.call('invoices.send', { body: invoice().bytes })
    expect(answer, 'by a token without the permission of its author').toBeRefused(
      'missing-permission',
    )
  },
)

test(
  ...rule('invoices.send.alternative', 'first half hour of FA(3)'),
  async ({ login, invoice, clock }) => {
    await clock.set(Date.parse('2026-02-01T00:20:00+01:00'))
    const { api } = await login()
    expect(await outcomeOfSending(api, invoice({ schema: 'fa2' }).bytes)).toBeRejected(
      'invoice-invalid',
    )
    expect(await outcomeOfSending(api, invoice().bytes)).toHaveSucceeded('invoice')
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
    const outcome = await outcomeOfSending(api, made.bytes)
    expect(outcome).toHaveSucceeded('invoice')
    numbers.push(String(recordOf(outcome)['svcNumber']))
  }
  const filters = issuedAround(clock.now(), 'subject1', 'permanentStorage')
  const found = await findAll(api, filters, numbers)
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
    const outcome = await outcomeOfSending(api, alter(new TextDecoder().decode(bytes)))
    expect(outcome).toBeRejected('invoice-invalid')
    expect(await outcomeOfSending(api, bytes), 'the invoice itself').toHaveSucceeded('invoice')
  })

test(...rule('invoices.send.alternative', 'duplicate'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  await accept(desk, bytes)
  expect(await outcomeOfSending(desk.api, bytes), 'sent before in a session').toBeRejected(
    'duplicate-invoice',
  )
  const { bytes: plain } = invoice()
  expect(await outcomeOfSending(desk.api, plain)).toHaveSucceeded('invoice')
  expect(await outcomeOfSending(desk.api, plain), 'sent before without a session').toBeRejected(
    'duplicate-invoice',
  )
})

test(
  ...rule('invoices.send.alternative', 'duplicate, another kind'),
  async ({ login, invoice }) => {
    const { api } = await login()
    const { number } = invoice()
    for (const kind of ['VAT', 'UPR'] as const)
      expect(await outcomeOfSending(api, invoice({ number, kind }).bytes), kind).toHaveSucceeded(
        'invoice',
      )
  },
)

test(
  ...rule('invoices.send.alternative', 'duplicate, sent by another context'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const { bytes } = invoice()
    await accept(desk, bytes)
    const agent = await login({ context: await another() })
    await authorizeSelfInvoicing(desk.api, agent.context.nip)
    expect(await outcomeOfSending(agent.api, selfInvoiced(bytes))).toBeRejected('duplicate-invoice')
  },
)

test(
  ...rule('invoices.send.alternative', 'duplicate, for ten years'),
  async ({ login, invoice, clock }) => {
    const me = await login()
    const { bytes, issueDate } = invoice()
    expect(await outcomeOfSending(me.api, bytes)).toHaveSucceeded('invoice')
    const sendAt = async (instant: string) => {
      await clock.set(Date.parse(instant))
      const { api } = await login({ context: me.context })
      return outcomeOfSending(api, bytes)
    }
    const year = Number(issueDate.slice(0, 4)) + 10
    expect(await sendAt(`${year}-12-31T12:00:00Z`), 'on the last day').toBeRejected(
      'duplicate-invoice',
    )
    expect(await sendAt(`${year + 1}-01-02T12:00:00Z`), 'afterwards').toHaveSucceeded('invoice')
  },
)

test(
  ...rule('invoices.send.alternative', 'foreign seller'),
  async ({ login, another, invoice }) => {
    const { api } = await login()
    const { nip } = await another()
    const { bytes } = invoice({ seller: nip })
    expect(await outcomeOfSending(api, bytes)).toBeRejected('seller-not-allowed')
  },
)
