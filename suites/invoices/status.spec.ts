import type { RefusalId } from '../../contract/errors.ts'
import { sha256 } from '../../lib/crypto.ts'
import { drawSecret, submissionBody } from '../../lib/flows/session.ts'
import { expectText } from '../../lib/outcome.ts'
import { issuedAround } from '../support/steps/filters.ts'
import type { WorkOutcome } from '../support/judging/matchers.ts'
import { withInvalidAmount } from '../support/documents/malformed.ts'
import { offered } from '../support/service/offered.ts'
import { sendAlone } from '../support/steps/packages.ts'
import { expectReason } from '../support/steps/reasons.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll } from '../support/steps/searches.ts'
import {
  accept,
  acceptedOf,
  expectStatusById,
  fields,
  finish,
  outcomeOfInvoice,
  outcomeOfSubmission,
  recordOf,
  reported,
  settleById,
} from '../support/steps/steps.ts'
import type { Accepted } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('invoices.status.outcome', 'by id'), async ({ open, invoice }) => {
  const desk = await open()
  const { referenceNumber, svcNumber } = await accept(desk, invoice().bytes)
  const answer = await desk.api.call('invoices.status', { path: { invoiceId: referenceNumber } })
  expect(answer).toBeOk()
  expect(reported(answer)).toHaveSucceeded('invoice')
  expect(fields(answer)['svcNumber'], 'the number that was assigned').toBe(svcNumber)
})

test(
  ...rule('invoices.status.outcome', 'by either id'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const buyer = await login({ context: await another() })
    const stranger = await login({ context: await another() })
    const { bytes } = invoice({ buyer: buyer.context.nip })
    const { referenceNumber, svcNumber } = await accept(desk, bytes)
    for (const invoiceId of [referenceNumber, svcNumber]) {
      const path = { invoiceId }
      for (const [who, { api }] of Object.entries({ seller: desk.me, buyer })) {
        const answer = await api.call('invoices.status', { path })
        expect(answer, `asked by the ${who}`).toBeOk()
        expect(reported(answer)).toHaveSucceeded('invoice')
        expect(fields(answer), `the numbers that the ${who} is given`).toMatchObject({
          referenceNumber,
          svcNumber,
        })
      }
      expect(await stranger.api.call('invoices.status', { path })).toBeRefused('invoice-unknown')
    }
  },
)

test(...rule('invoices.status.outcome', 'described'), async ({ open, invoice, clock }) => {
  const desk = await open()
  await accept(desk, invoice().bytes)
  const { bytes, number } = invoice()
  const { svcNumber, body } = await accept(desk, bytes)
  const [found] = await findAll(desk.api, { ...issuedAround(clock.now()), svcNumber }, [svcNumber])
  expect(body, 'the status of the second invoice of a session').toMatchObject({
    ordinalNumber: 2,
    invoiceNumber: number,
    invoiceHash: desk.api.codec.base64(await sha256(bytes)),
  })
  const moments = (record: Readonly<Record<string, unknown>> | undefined) =>
    ['invoicingDate', 'acquisitionDate'].map((name) => Date.parse(String(record?.[name])))
  expect(moments(body), 'the dates in the metadata').toEqual(moments(found))
  for (const moment of moments(body))
    expect(Math.abs(moment - clock.now()), 'milliseconds before the current time').toBeLessThan(
      600_000,
    )
})

test(...rule('invoices.status.outcome', 'by service number'), async ({ open, invoice }) => {
  const desk = await open()
  const { bytes } = invoice()
  const { svcNumber, referenceNumber } = await accept(desk, bytes)
  for (const when of ['at first', 'after it was sent again']) {
    const answer = await desk.api.call('invoices.statusBySvcNumber', { path: { svcNumber } })
    expect(answer, when).toBeOk()
    expect(reported(answer), when).toHaveSucceeded('invoice')
    expect(fields(answer), `the numbers that were assigned, ${when}`).toMatchObject({
      svcNumber,
      referenceNumber,
    })
    expect(await outcomeOfInvoice(desk, bytes), 'sent again').toBeRejected('duplicate-invoice')
  }
})

test(...rule('invoices.status.outcome', 'rejected'), async ({ open, invoice }) => {
  const desk = await open()
  const { api, session } = desk
  const { bytes } = invoice()
  const { referenceNumber: good } = await accept(desk, bytes)
  const accepted = await api.call('invoices.status', { path: { invoiceId: good } })
  const otherKey = await submissionBody(api, { ...session, key: drawSecret().key }, invoice().bytes)
  const rejected: readonly (readonly [RefusalId, WorkOutcome])[] = [
    ['invoice-invalid', await outcomeOfInvoice(desk, api.codec.utf8('<Faktura/>'))],
    ['duplicate-invoice', await outcomeOfInvoice(desk, bytes)],
    ['seller-not-allowed', await outcomeOfInvoice(desk, invoice({ seller: '5265877635' }).bytes)],
    ['invoice-undecryptable', await outcomeOfSubmission(desk, otherKey)],
  ]
  for (const [refusal, outcome] of rejected) {
    expect(outcome, 'in its session').toBeRejected(refusal)
    const { referenceNumber } = recordOf(outcome) as { referenceNumber?: string }
    // It was refused before it had a status.
    if (referenceNumber === undefined) continue
    const answer = await api.call('invoices.status', { path: { invoiceId: referenceNumber } })
    expect(answer).toBeOk()
    expect(reported(answer), 'by its reference').toBeRejected(refusal)
    expectReason(reported(answer), reported(accepted))
  }
})

test(
  ...rule('invoices.status.outcome', 'rejected, of a session without an accepted one'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { api } = desk
    const invalid = api.codec.utf8(withInvalidAmount(api.codec.text(invoice().bytes)))
    const sent: [way: string, referenceNumber: string][] = []
    const online = await outcomeOfInvoice(desk, invalid)
    expect(online, 'in an interactive session').toBeRejected('invoice-invalid')
    const { referenceNumber: submitted } = recordOf(online)
    // What was refused at once has no status.
    if (typeof submitted === 'string') sent.push(['interactive session', submitted])
    await finish(desk)
    const inPackage = await sendAlone(api, invalid)
    expect(inPackage, 'in a package').toBeRejected('invoice-invalid')
    sent.push(['batch session', inPackage.referenceNumber])
    for (const operation of offered('invoices.send')) {
      const answer = await api.call(operation, { body: invalid })
      const step = 'send an invoice'
      if (answer.status < 300)
        sent.push(['no session', expectText(answer, step, 'referenceNumber')])
      else expect(answer).toBeRejected('invoice-invalid')
    }
    for (const [way, referenceNumber] of sent)
      for (const when of ['at first', 'asked again']) {
        const what = `the status of one by ${way}, ${when}`
        expect(await expectStatusById(api, referenceNumber, what), what).toBeRejected(
          'invoice-invalid',
        )
      }
  },
)

test(...rule('invoices.status.session-reference'), async ({ open, invoice }) => {
  const first = await open()
  const desks = [first, await open({ me: first.me })]
  const sent: Accepted[] = []
  for (const desk of desks) sent.push(await accept(desk, invoice().bytes))
  for (const [place, { referenceNumber, svcNumber }] of sent.entries())
    for (const answer of [
      await first.api.call('invoices.status', { path: { invoiceId: referenceNumber } }),
      await first.api.call('invoices.statusBySvcNumber', { path: { svcNumber } }),
    ])
      expect(fields(answer)['sessionReferenceNumber'], 'the session of the invoice').toBe(
        desks[place]?.session.referenceNumber,
      )
  for (const operation of offered('invoices.send')) {
    const alone = await first.api.call(operation, { body: invoice().bytes })
    const invoiceId = expectText(alone, 'send an invoice', 'referenceNumber')
    const session = fields(alone)['sessionReferenceNumber'] ?? undefined
    // The answer need not name a session.
    if (session === undefined) continue
    const { svcNumber } = acceptedOf(await settleById(first.api, invoiceId), invoiceId)
    for (const answer of [
      await first.api.call('invoices.status', { path: { invoiceId } }),
      await first.api.call('invoices.statusBySvcNumber', { path: { svcNumber } }),
    ])
      expect(fields(answer)['sessionReferenceNumber'], 'the session that the send named').toBe(
        session,
      )
  }
})

test(
  ...rule('invoices.status.session-reference', 'after a failed attempt'),
  async ({ open, invoice }) => {
    const first = await open()
    const second = await open({ me: first.me })
    const { bytes } = invoice()
    const failed = await outcomeOfInvoice(first, bytes, { invoiceSize: bytes.length + 1 })
    expect(failed).toBeRejected('invoice-size-mismatch')
    const { referenceNumber, svcNumber } = await accept(second, bytes)
    for (const answer of [
      await first.api.call('invoices.status', { path: { invoiceId: referenceNumber } }),
      await first.api.call('invoices.statusBySvcNumber', { path: { svcNumber } }),
    ])
      expect(fields(answer)['sessionReferenceNumber'], 'the session that accepted it').toBe(
        second.session.referenceNumber,
      )
  },
)
