import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { openOnline, settleInvoice, settleSession, submit } from '../../../lib/flows/session.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { hold } from '../../support/scenes/delayed.ts'
import { authorizeSelfInvoicing } from '../../support/callers/grants.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { isoDay } from '../../../lib/local-time.ts'
import type { MadeInvoice } from '../../support/documents/invoice-source.ts'
import {
  allowAttachments,
  listInvoices,
  nameOf,
  packed,
  sendAlone,
  sendBatch,
} from '../../support/steps/packages.ts'
import { selfInvoiced } from '../../support/documents/parties.ts'
import type { WorkOutcome } from '../../support/judging/matchers.ts'
import { withInvalidAmount } from '../../support/documents/malformed.ts'
import { expectOneAccepted } from '../../support/steps/one-accepted.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, outcomeOfInvoice, recordOf } from '../../support/steps/steps.ts'
import { buyerName, describedPlainly, documentOf } from '../../support/documents/stock-document.ts'
import type { Described } from '../../support/documents/stock-document.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

/** Invoices with the same seller, kind and number but other differences, sent in every way: duplicates of the first. */

const day = 24 * 3600 * 1000

/** What differs from the first invoice, one property each. */
const differences = (now: number): Readonly<Record<string, Partial<Described>>> => ({
  nothing: {},
  'the date of issue': { issueDate: isoDay(now - day) },
  'the year of issue': { issueDate: isoDay(now - 200 * day) },
  'the buyer': { buyer: { identifier: { type: 'Other', value: 'X-1' }, name: buyerName } },
  'the currency': { currency: 'USD' },
  'the amounts': { netAmount: 200, vatAmount: 46, grossAmount: 246 },
  'the name of the seller': { seller: { nip: '', name: 'Another name' } },
})

for (const what of Object.keys(differences(0)))
  test(
    ...familyRule('invoices.duplicate.rejected', 'equal invoices', `all but ${what}`),
    async ({ login, rng, target }) => {
      const me = await login()
      const { nip } = me.context
      const first = describedPlainly({
        seller: nip,
        number: `D/${rng.digits(9)}`,
        issueDate: isoDay(target.now()),
      })
      const parties = { third: drawNip(rng), authorized: drawNip(rng) }
      const session = await openOnline(me.api, { formCode: formCodes.fa3 })
      const original = await accept({ api: me.api, session }, documentOf(first, parties))
      const difference = differences(target.now())[what] ?? {}
      const seller = { ...first.seller, ...difference.seller, nip }
      const bytes = documentOf({ ...first, ...difference, seller }, parties)
      const again: [string, WorkOutcome][] = [
        ['the same session', await outcomeOfInvoice({ api: me.api, session }, bytes)],
      ]
      for (const [way, { outcome }] of offeredWays()) again.push([way, await outcome(me, bytes)])
      for (const [way, outcome] of again) {
        expect(outcome, `by ${way}`).toBeRejected('duplicate-invoice')
        const record = 'body' in outcome ? recordOf(outcome) : outcome
        expect(record, `the original that is named, by ${way}`).toMatchObject({
          originalSvcNumber: original.svcNumber,
          originalSessionReferenceNumber: session.referenceNumber,
        })
      }
    },
  )

test(
  ...familyRule('invoices.rejected.may-be-resent', 'equal invoices', 'after a refusal in each way'),
  async ({ login, invoice }) => {
    const me = await login()
    for (const [way, { outcome }] of offeredWays())
      for (const [again, { outcome: send }] of offeredWays()) {
        const { bytes } = invoice()
        const text = withInvalidAmount(me.api.codec.text(bytes))
        const refused = await outcome(me, me.api.codec.utf8(text))
        expect(refused, `an invalid invoice by ${way}`).toBeRejected('invoice-invalid')
        const corrected = await send(me, bytes)
        expect(corrected, `corrected by ${again}, after one by ${way}`).toHaveSucceeded('invoice')
      }
  },
)

/** Pairs of different numbers that a service may take for the same. */
const numbers: Readonly<Record<string, readonly [string, string]>> = {
  'a blank': ['7 1', '71'],
  'leading zeros': ['0071', '71'],
  'a hyphen': ['7-1', '71'],
  'a slash for a hyphen': ['7/1', '7-1'],
  'an accent': ['7ż', '7z'],
  'the form of a letter': ['7ﬁ', '7fi'],
  'their last character': [`${'7'.repeat(200)}1`, `${'7'.repeat(200)}2`],
  'their beginning': ['A71', '71'],
}

for (const [what, pair] of Object.entries(numbers))
  test(
    ...familyRule('invoices.duplicate.triple', 'equal invoices', `numbers that differ in ${what}`),
    async ({ open, invoice, rng }) => {
      const desk = await open()
      const end = rng.digits(9)
      // The random part is where the two numbers are equal.
      for (const [place, number] of pair.entries()) {
        const own = what === 'their last character' ? `${end}${number}` : `${number}/${end}`
        const outcome = await outcomeOfInvoice(desk, invoice({ number: own }).bytes)
        expect(outcome, `number ${place + 1} of 2`).toHaveSucceeded('invoice')
      }
    },
  )

for (const [rule, operation] of [
  ['sessions.batch.failed-list', 'sessions.failed'],
  ['sessions.invoices.complete', 'sessions.invoices'],
] as const)
  test(
    ...familyRule(rule, 'equal invoices', 'two duplicates in a package'),
    async ({ open, invoice }) => {
      const first = await open()
      const originals: { made: MadeInvoice; svcNumber: string; session: string }[] = []
      for (const desk of [first, await open({ me: first.me })]) {
        const made = invoice()
        const { svcNumber } = await accept(desk, made.bytes)
        originals.push({ made, svcNumber, session: desk.session.referenceNumber })
      }
      const batch = await packed(originals.map(({ made }) => made))
      const { referenceNumber } = await sendBatch(first.api, batch)
      const rows = await listInvoices(first.api, referenceNumber, operation)
      for (const [place, { made, svcNumber, session }] of originals.entries()) {
        const row = rows.find(({ invoiceFileName }) => invoiceFileName === nameOf(place))
        expect(row ?? { status: { code: 0 } }).toBeRejected('duplicate-invoice')
        expect(row, `the row of ${made.number}`).toMatchObject({
          invoiceNumber: made.number,
          originalSvcNumber: svcNumber,
          originalSessionReferenceNumber: session,
        })
      }
    },
  )

test(
  ...familyRule('invoices.rejected.may-be-resent', 'equal invoices', 'sent before by a stranger'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const { bytes } = invoice()
    const stranger = await login({ context: await another() })
    for (const [way, { outcome }] of offeredWays())
      expect(await outcome(stranger, bytes), way).toBeRejected('seller-not-allowed')
    expect(await outcomeOfInvoice(desk, bytes), 'sent by the seller').toHaveSucceeded('invoice')
  },
)

test(
  ...familyRule('invoices.rejected.may-be-resent', 'refused attachment'),
  async ({ open, invoice }) => {
    const desk = await open()
    const { api, me } = desk
    const { bytes } = invoice({ attachment: true })
    expect(await sendAlone(api, bytes), 'without consent').toBeRejected('seller-not-allowed')
    await allowAttachments(api, me.context.nip)
    expect(await outcomeOfInvoice(desk, bytes), 'in an interactive session').toBeRejected(
      'attachment-not-allowed',
    )
    expect(await sendAlone(api, bytes), 'with consent, in a package').toHaveSucceeded('invoice')
  },
)

test(
  ...familyRule('invoices.duplicate.race', 'equal invoices', 'at once by two contexts'),
  async ({ open, login, another, invoice }) => {
    const desk = await open()
    const agent = await login({ context: await another() })
    await authorizeSelfInvoicing(desk.api, agent.context.nip)
    const session = await openOnline(agent.api, { formCode: formCodes.fa3 })
    for (let round = 0; round < 3; round += 1) {
      const bytes = selfInvoiced(invoice().bytes)
      const outcomes = await Promise.all(
        [desk, { api: agent.api, session }].map((one) => outcomeOfInvoice(one, bytes)),
      )
      const codes = outcomes.map((outcome) =>
        'request' in outcome ? outcome.status : outcome.status.code,
      )
      expect(
        codes.toSorted((a, b) => a - b),
        'one accepted, one duplicate',
      ).toEqual([200, 440])
    }
  },
)

test(
  ...familyRule(
    'invoices.duplicate.race',
    'equal invoices',
    'in progress, in both kinds of session',
  ),
  async ({ open, invoice, target, clock }) => {
    const { api, session } = await open()
    for (const first of ['interactive', 'batch'] as const) {
      const { bytes } = invoice()
      const done = await hold({ target, clock }, 'invoice', 'verification')
      const made = await packed([{ bytes }])
      const batch = await openBatch(api, made, { formCode: formCodes.fa3 })
      await uploadParts(api, batch, made.parts)
      if (first === 'batch') await closeBatch(api, batch)
      const { referenceNumber } = await submit(api, session, bytes)
      if (first === 'interactive') await closeBatch(api, batch)
      if (clock.moves) await done()
      const alone = await settleInvoice(api, session, referenceNumber)
      await settleSession(api, batch, 'batchSession')
      const [row] = await listInvoices(api, batch.referenceNumber)
      expectOneAccepted([alone, row ?? { status: { code: 0 } }], `with the ${first} one first`)
    }
  },
)

/** The seller of a check, and an agent that sends in its name; each document is one of the seller's or the agent's own. */
const withAgent = async ({ login, another }: Pick<Fixtures, 'login' | 'another'>) => {
  const seller = await login()
  const agent = await login({ context: await another() })
  await authorizeSelfInvoicing(seller.api, agent.context.nip)
  // The contract does not specify who may send for a seller without a session.
  const agentWays = offeredWays().filter(([, { needs }]) => needs === undefined)
  return { seller, agent, agentWays }
}

test(
  ...familyRule('invoices.duplicate.triple', 'equal invoices', 'of two sellers by one agent'),
  async ({ login, another, invoice }) => {
    const { seller, agent, agentWays } = await withAgent({ login, another })
    for (const [way, { outcome }] of agentWays)
      for (const first of ['its own', "the seller's"]) {
        const { bytes, number } = invoice({ kind: 'VAT' })
        const sold = selfInvoiced(bytes)
        const own = invoice({ kind: 'VAT', number, seller: agent.context.nip }).bytes
        for (const document of first === 'its own' ? [own, sold] : [sold, own])
          expect(await outcome(agent, document), `${way}, ${first} first`).toHaveSucceeded(
            'invoice',
          )
        expect(await outcome(seller, bytes), `${way}, by the seller`).toBeRejected(
          'duplicate-invoice',
        )
        expect(await outcome(agent, own), `${way}, its own again`).toBeRejected('duplicate-invoice')
      }
  },
)

test(
  ...familyRule('invoices.duplicate.everywhere', 'equal invoices', 'sent before by an agent'),
  async ({ login, another, invoice }) => {
    const { seller, agent, agentWays } = await withAgent({ login, another })
    for (const [before, by] of agentWays) {
      const { bytes } = invoice()
      const sold = selfInvoiced(bytes)
      expect(await by.outcome(agent, sold), `${before}, by the agent`).toHaveSucceeded('invoice')
      for (const [way, { outcome }] of offeredWays())
        expect(await outcome(seller, bytes), `${way} after ${before}`).toBeRejected(
          'duplicate-invoice',
        )
      for (const [way, { outcome }] of agentWays)
        expect(await outcome(agent, sold), `${way} after ${before}, by the agent`).toBeRejected(
          'duplicate-invoice',
        )
    }
  },
)

test(
  ...familyRule('invoices.duplicate.everywhere', 'equal invoices of two schemas'),
  async ({ login, invoice, clock }) => {
    const enter = async (date: string, schema: 'fa2' | 'fa3') => {
      await clock.set(Date.parse(`${date}T10:00:00+01:00`))
      const { api } = await login()
      return { api, session: await openOnline(api, { formCode: formCodes[schema] }) }
    }
    const number = invoice().number
    const old = await enter('2026-01-31', 'fa2')
    const original = await accept(old, invoice({ schema: 'fa2', kind: 'VAT', number }).bytes)
    const fresh = await enter('2026-02-01', 'fa3')
    const { bytes } = invoice({ schema: 'fa3', kind: 'VAT', number })
    for (const outcome of [
      await outcomeOfInvoice(fresh, bytes),
      await sendAlone(fresh.api, bytes),
    ]) {
      expect(outcome, 'FA(3) after FA(2)').toBeRejected('duplicate-invoice')
      expect('body' in outcome ? recordOf(outcome) : outcome).toMatchObject({
        originalSvcNumber: original.svcNumber,
      })
    }
  },
)
