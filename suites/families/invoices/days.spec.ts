import { closeBatch, openBatch, uploadParts } from '../../../lib/flows/batch.ts'
import { fetchReceipt } from '../../../lib/flows/receipt.ts'
import { openOnline, settleSession } from '../../../lib/flows/session.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Client } from '../../../lib/client.ts'
import type { CheckFixtures } from '../../support/harness/fixtures.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { listInvoices, packed, rowOfDocument, sendAlone } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { accept, fields, outcomeOfInvoice, recordOf } from '../../support/steps/steps.ts'
import { findAll } from '../../support/steps/searches.ts'
import { spoilt } from '../../support/documents/malformed.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { expect, test } from '../../support/harness/test.ts'
import { offeredWays } from '../../support/scenes/ways-of-sending.ts'

/** Around midnight in Warsaw, which is another day than in UTC: dates of issue, and the mode that follows from them. */

const hour = 3_600_000

/** Half past midnight in Warsaw: yesterday in UTC, in summer time and in winter time. */
const nights = ['2026-07-02T00:30:00+02:00', '2026-11-12T00:30:00+01:00'] as const

type Send = (api: Client, bytes: Uint8Array) => Promise<Readonly<Record<string, unknown>>>

const ways: Readonly<Record<string, Send>> = {
  interactive: async (api, bytes) =>
    recordOf(
      await outcomeOfInvoice(
        { api, session: await openOnline(api, { formCode: formCodes.fa3 }) },
        bytes,
      ),
    ),
  batch: (api, bytes) => sendAlone(api, bytes),
}

for (const night of nights)
  for (const [way, send] of Object.entries(ways)) {
    test(
      ...familyRule('invoices.content.issue-date', 'midnight', `${night.slice(0, 10)}, ${way}`),
      async ({ login, invoice, clock }) => {
        await clock.set(Date.parse(night))
        const { api } = await login()
        const today = isoDay(clock.now())
        const tomorrow = isoDay(clock.now() + 24 * hour)
        const late = await send(api, invoice({ issueDate: tomorrow }).bytes)
        expect(late['status'], 'issued tomorrow').toMatchObject({ code: 450 })
        const { status, svcNumber } = await send(api, invoice({ issueDate: today }).bytes)
        expect(status, 'issued today').toMatchObject({ code: 200 })
        const around = (ms: number) => new Date(clock.now() + ms).toISOString()
        const dateRange = { dateType: 'issue' as const, from: around(-hour), to: around(0) }
        const filters = { subjectType: 'subject1' as const, dateRange }
        const [found] = await findAll(api, filters, [String(svcNumber)])
        expect(found?.issueDate, 'the date of issue').toBe(today)
      },
    )

    test(
      ...familyRule('invoices.mode', 'midnight', `${night.slice(0, 10)}, ${way}`),
      async ({ login, invoice, clock }) => {
        await clock.set(Date.parse(night))
        const { api } = await login()
        for (const [days, mode] of [
          [0, 'Online'],
          [1, 'Offline'],
        ] as const) {
          const issueDate = isoDay(clock.now() - days * 24 * hour)
          const row = await send(api, invoice({ issueDate }).bytes)
          expect(row['invoicingMode'], `issued ${days} days before`).toBe(mode)
        }
      },
    )
  }

for (const night of nights)
  for (const [way, send] of Object.entries(ways))
    test(
      ...familyRule('invoices.number.unique', 'midnight', `${night.slice(0, 10)}, ${way}`),
      async ({ login, invoice, clock }) => {
        await clock.set(Date.parse(night))
        const { api } = await login()
        const today = isoDay(clock.now())
        const { svcNumber } = await send(api, invoice({ issueDate: today }).bytes)
        expect(String(svcNumber).slice(11, 19), 'the day in its number').toBe(
          today.replaceAll('-', ''),
        )
      },
    )

/** The end of a day, of a month and of a year at the same time. */
const newYear = Date.parse('2027-01-01T00:00:00+01:00')

test(
  ...familyRule('invoices.number.unique', 'midnight', 'by each way before and after a new year'),
  async ({ login, invoice, clock }) => {
    await clock.set(newYear - 60_000)
    const me = await login()
    const { api } = me
    const documents = Array.from({ length: 6 }, () => invoice())
    const made = await packed(documents)
    const batch = await openBatch(api, made, { formCode: formCodes.fa3 })
    const desk = { api, session: await openOnline(api, { formCode: formCodes.fa3 }) }
    const numbers: unknown[] = []
    const sendSome = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) {
        for (const [, { send: sendBy }] of offeredWays())
          numbers.push((await sendBy(me, invoice().bytes)).svcNumber)
        numbers.push((await accept(desk, invoice().bytes)).svcNumber)
      }
    }
    // Numbers that are counted meet: the package has more than are sent before, and fewer than are sent after it.
    await sendSome(1)
    await uploadParts(api, batch, made.parts)
    await clock.set(newYear + 60_000)
    await closeBatch(api, batch)
    await settleSession(api, batch, 'batchSession')
    const rows = await listInvoices(api, batch.referenceNumber)
    const ofPackage = rows.map(({ svcNumber }) => svcNumber)
    expect(ofPackage, 'numbers of the package').toEqual(documents.map(() => expect.any(String)))
    numbers.push(...ofPackage)
    await sendSome(2)
    expect(new Set(numbers).size, 'distinct numbers').toBe(numbers.length)
  },
)

const midnight = Date.parse('2026-07-02T00:00:00+02:00')

/** A package of an invoice and an invalid document, opened a minute before midnight and closed a minute after it. */
const packageOverMidnight = async ({
  login,
  invoice,
  clock,
  issued = midnight - 60_000,
}: Pick<CheckFixtures, 'login' | 'invoice' | 'clock'> & { readonly issued?: number }) => {
  await clock.set(midnight - 60_000)
  const { api } = await login()
  const { bytes } = invoice({ issueDate: isoDay(issued) })
  const made = await packed([{ bytes }, { bytes: spoilt }])
  const session = await openBatch(api, made, { formCode: formCodes.fa3 })
  await uploadParts(api, session, made.parts)
  await clock.set(midnight + 60_000)
  await closeBatch(api, session)
  await settleSession(api, session, 'batchSession')
  const rows = await listInvoices(api, session.referenceNumber)
  return {
    api,
    session,
    row: await rowOfDocument(api, rows, bytes),
    rejected: await rowOfDocument(api, rows, spoilt),
  }
}

test(
  ...familyRule('invoices.mode', 'midnight', 'between opening and close of a package'),
  async ({ login, invoice, clock }) => {
    const { row } = await packageOverMidnight({ login, invoice, clock })
    expect(row['invoicingMode'], 'issued on the day of the opening').toBe('Online')
    expect(Date.parse(String(row['invoicingDate'])), 'the day of the invoice').toBeLessThan(
      midnight,
    )
    expect(Date.parse(String(row['acquisitionDate'])), 'the acceptance').toBeGreaterThan(midnight)
  },
)

test(
  ...familyRule('invoices.mode', 'midnight', 'in an interactive session'),
  async ({ login, invoice, clock }) => {
    await clock.set(midnight - 60_000)
    const { api } = await login()
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    await clock.set(midnight + 60_000)
    for (const [day, mode] of [
      [isoDay(midnight - hour), 'Offline'],
      [isoDay(midnight + hour), 'Online'],
    ] as const) {
      const outcome = await outcomeOfInvoice({ api, session }, invoice({ issueDate: day }).bytes)
      expect(recordOf(outcome)['invoicingMode'], `issued on ${day}`).toBe(mode)
    }
  },
)

test(
  ...familyRule('invoices.content.issue-date', 'midnight', 'in a session of the day before'),
  async ({ login, invoice, clock }) => {
    await clock.set(midnight - 60_000)
    const { api } = await login()
    const session = await openOnline(api, { formCode: formCodes.fa3 })
    await clock.set(midnight + 60_000)
    const send = (at: number) =>
      outcomeOfInvoice({ api, session }, invoice({ issueDate: isoDay(at) }).bytes)
    expect(await send(midnight + hour), 'issued today').toHaveSucceeded('invoice')
    expect(await send(midnight + 25 * hour), 'issued tomorrow').toBeRejected('invoice-invalid')
  },
)

test(
  ...familyRule('invoices.content.issue-date', 'midnight', 'in a package of the day before'),
  async ({ login, invoice, clock }) => {
    for (const [when, days, code] of [
      ['the day of the close', 0, 200],
      ['the day after it', 1, 450],
    ] as const) {
      const issued = midnight + hour + days * 24 * hour
      const { row } = await packageOverMidnight({ login, invoice, clock, issued })
      expect(row.status, `issued on ${when}`).toMatchObject({ code })
    }
  },
)

test(
  ...familyRule('sessions.invoices.complete', 'midnight', 'instants of a package'),
  async ({ login, invoice, clock }) => {
    const { api, session, row, rejected } = await packageOverMidnight({ login, invoice, clock })
    const { referenceNumber } = session
    const invoiceReferenceNumber = row.referenceNumber
    const path = { referenceNumber, invoiceReferenceNumber }
    const status = fields(await api.call('invoices.inSession', { path }))
    const receipt = await fetchReceipt(api, {
      sessionReferenceNumber: referenceNumber,
      invoiceReferenceNumber,
    })
    const [shown] = readReceipt(receipt.bytes).documents
    const [found] = await findAll(api, issuedAround(clock.now()), [String(row.svcNumber)])
    const instants = ({ invoicingDate, acquisitionDate }: Readonly<Record<string, unknown>>) =>
      [invoicingDate, acquisitionDate].map((at) => Date.parse(String(at)))
    const [sent = 0, numbered = 0] = instants(row)
    expect(sent, 'the submission').toBeLessThan(midnight)
    expect(numbered, 'the number').toBeGreaterThan(midnight)
    expect(instants(status), 'in the status').toEqual([sent, numbered])
    expect(instants({ ...found }), 'in a search').toEqual([sent, numbered])
    const onReceipt = { invoicingDate: shown?.sentAt, acquisitionDate: shown?.numberedAt }
    expect(instants(onReceipt), 'on the receipt').toEqual([sent, numbered])
    expect(instants(rejected)[0], 'the submission of a rejected one').toBe(sent)
  },
)
