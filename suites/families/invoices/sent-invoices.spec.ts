import { callReceipt, callReceiptLink } from '../../../lib/flows/receipt.ts'
import { settleInvoice, settleSession, submit } from '../../../lib/flows/session.ts'
import { readReceipt } from '../../../lib/node/receipt.ts'
import type { Me } from '../../support/service/contexts.ts'
import { countsOf } from '../../support/answers/session-counts.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { receivedDocuments, receivedNumbers } from '../../support/steps/received.ts'
import { findAll } from '../../support/steps/searches.ts'
import type { SentInvoice, SentKind } from '../../support/scenes/sent-invoices.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import type { Settled } from '../../../lib/flows/settle.ts'
import { outcomeOfCode } from '../../support/judging/matchers.ts'
import { listInvoices } from '../../support/steps/packages.ts'
import { familyRule } from '../../support/checks/rule.ts'
import {
  askEachWay,
  comparable,
  sendInvoices,
  sentKinds,
} from '../../support/scenes/sent-invoices.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What the statuses and lists report of invoices of each outcome, compared with what was sent and with each other. */

test(
  ...familyRule('invoices.number.unique', 'sent invoice', 'number with the success'),
  async ({ open, invoice }) => {
    const { api, session, me } = await open()
    const { referenceNumber } = await submit(api, session, invoice().bytes)
    // Polled at once, before anything says whether it is accepted.
    const looks = await askEachWay(me, session.referenceNumber, {
      referenceNumber,
      svcNumber: undefined,
    })
    for (const look of looks) expect(look).toBeOk()
    const rows = await listInvoices(api, session.referenceNumber)
    const settled = await settleInvoice(api, session, referenceNumber)
    expect(settled).toHaveSucceeded('invoice')
    for (const record of [...looks.map(fields), ...rows, settled.body])
      if (outcomeOfCode(statusOf(record)?.code ?? 0) === 'success')
        expect(record['svcNumber'], 'the service number of an accepted invoice').toMatch(/\S/)
  },
)

const kindOf = { interactive: 'Online', batch: 'Batch' } as const

/** What each status and the row of a list report of each invoice. */
const recordsOf = async (me: Me, session: string, all: readonly SentInvoice[]) => {
  const rows = await listInvoices(me.api, session)
  const records: { record: Readonly<Record<string, unknown>>; one: SentInvoice }[] = []
  for (const one of all) {
    const statuses = (await askEachWay(me, session, one)).map(fields)
    const listed = rows.filter(({ referenceNumber }) => referenceNumber === one.referenceNumber)
    records.push(...[...statuses, ...listed].map((record) => ({ record, one })))
  }
  return records
}

/** Closes a session, where a package did not end it, and expects it to succeed. */
const endSent = async ({ api }: Me, kind: SentKind, referenceNumber: string): Promise<Settled> => {
  const path = { referenceNumber }
  if (kind === 'interactive')
    expect(await api.call('sessions.closeOnline', { path }), 'the close').toBeOk()
  const lifecycle = kind === 'interactive' ? 'onlineSession' : 'batchSession'
  const settled = await settleSession(api, path, lifecycle)
  expect(settled).toHaveSucceeded(lifecycle)
  return settled
}

for (const kind of sentKinds) {
  test(
    ...familyRule('invoices.status.outcome', 'sent invoice', `${kind}, each status`),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      for (const one of all) {
        const [inSession, ...others] = await askEachWay(me, session, one)
        expect(inSession).toBeOk()
        const first = comparable(fields(inSession))
        expect(first, 'the status in the session').toMatchObject({
          ...one.expected,
          sessionReferenceNumber: session,
          svcNumber: one.svcNumber,
        })
        const link = fields(inSession)['upoDownloadUrl'] ?? undefined
        if (one.svcNumber === undefined)
          expect(link, 'the receipt link of a rejected invoice').toBeUndefined()
        else expect(link, 'the receipt link').toMatch(/\S/)
        for (const other of others) {
          expect(other).toBeOk()
          expect(comparable(fields(other)), `by ${other.operation}, as in the session`).toEqual(
            first,
          )
        }
      }
    },
  )

  test(
    ...familyRule('sessions.invoices.complete', 'sent invoice', `${kind}, rows`),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      const rows = (await listInvoices(me.api, session)).map(comparable)
      expect(rows.length, 'rows').toBe(all.length)
      for (const one of all) {
        const [status] = await askEachWay(me, session, one)
        expect(status).toBeOk()
        const row = rows.find(({ referenceNumber }) => referenceNumber === one.referenceNumber)
        expect(row, 'a row, against what was sent').toMatchObject(one.expected)
        expect(row, 'a row, as the status').toEqual(comparable(fields(status)))
      }
      expect(
        rows.map(({ ordinalNumber }) => Number(ordinalNumber)).toSorted((a, b) => a - b),
        'ordinal numbers',
      ).toEqual(all.map((_, place) => place + 1))
    },
  )

  test(
    ...familyRule('sessions.status.counts', 'sent invoice', `${kind}, counters`),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      const accepted = all.filter(({ svcNumber }) => svcNumber !== undefined).length
      const expected = [all.length, accepted, all.length - accepted]
      expect(await countsOf(me.api, session, kindOf[kind])).toEqual({
        status: expected,
        list: expected,
      })
    },
  )

  test(
    ...familyRule('sessions.online.receipt-after-close', 'sent invoice', `${kind}, receipt`),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { api } = me
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      const settled = await endSent(me, kind, session)
      expect(await receivedNumbers(api, settled), 'what the receipt lists').toEqual(
        all.flatMap(({ svcNumber }) => svcNumber ?? []).toSorted(),
      )
    },
  )

  test(
    ...familyRule('receipts.link.in-status', 'sent invoice', `${kind}, links`),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      for (const { record, one } of await recordsOf(me, session, all)) {
        if (one.svcNumber === undefined) continue
        const answer = await callReceiptLink(me.api, String(record['upoDownloadUrl']))
        expect(answer, `the receipt of ${one.svcNumber}`).toBeOk()
        const listed = readReceipt(answer.bytes).documents.map(({ serviceNumber }) => serviceNumber)
        expect(listed, 'what the receipt is of').toEqual([one.svcNumber])
      }
    },
  )

  test(
    ...familyRule('receipts.invoice.carries-number', 'sent invoice', `${kind}, rejected ones`),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      for (const { referenceNumber, svcNumber } of all) {
        const answer = await callReceipt(me.api, {
          sessionReferenceNumber: session,
          invoiceReferenceNumber: referenceNumber,
        })
        if (svcNumber === undefined) expect(answer, 'of a rejected invoice').toBeClientError()
        else expect(answer, 'of an accepted invoice').toBeOk()
      }
    },
  )

  test(
    ...familyRule('invoices.status.session-reference', 'sent invoice', kind),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      for (const { record, one } of await recordsOf(me, session, all))
        expect(record['sessionReferenceNumber'], one.referenceNumber).toBe(session)
    },
  )

  test(...familyRule('invoices.mode', 'sent invoice', kind), async ({ login, invoice, target }) => {
    const me = await login()
    const { session, all } = await sendInvoices(me, kind, invoice, target.now())
    for (const { record, one } of await recordsOf(me, session, all))
      if (one.svcNumber !== undefined)
        expect(record['invoicingMode'], one.referenceNumber).toBe(one.expected['invoicingMode'])
    const received = await receivedDocuments(me.api, await endSent(me, kind, session))
    expect(
      received.map(({ serviceNumber, mode }) => `${serviceNumber} ${mode}`).toSorted(),
      'the modes in the receipt of the session',
    ).toEqual(
      all
        .flatMap(({ svcNumber, expected }) =>
          svcNumber === undefined ? [] : `${svcNumber} ${String(expected['invoicingMode'])}`,
        )
        .toSorted(),
    )
  })

  test(
    ...familyRule('invoices.duplicate.points-to-original', 'sent invoice', kind),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      const names = ['originalSessionReferenceNumber', 'originalSvcNumber'] as const
      for (const { record, one } of await recordsOf(me, session, all))
        for (const name of names)
          expect(record[name] ?? undefined, `${name} of ${one.referenceNumber}`).toBe(
            one.expected[name],
          )
    },
  )

  test(
    ...familyRule('queries.metadata.described', 'sent invoice', kind),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { all } = await sendInvoices(me, kind, invoice, target.now())
      for (const { svcNumber, made, expected } of all) {
        if (svcNumber === undefined || made === undefined) continue
        const filters = { ...issuedAround(target.now()), svcNumber }
        const [found] = await findAll(me.api, filters, [svcNumber])
        expect(found, `the record of ${svcNumber}`).toMatchObject({
          invoiceNumber: made.number,
          issueDate: made.issueDate,
          seller: { nip: made.seller },
          invoicingMode: expected['invoicingMode'],
          invoiceHash: expected['invoiceHash'],
        })
      }
    },
  )

  test(
    ...familyRule('sessions.batch.failed-list', 'sent invoice', `${kind}, failed`),
    async ({ login, invoice, target }) => {
      const me = await login()
      const { session, all } = await sendInvoices(me, kind, invoice, target.now())
      const rows = (await listInvoices(me.api, session, 'sessions.failed')).map(comparable)
      const failed = all.filter(({ svcNumber }) => svcNumber === undefined)
      expect(rows.length, 'rows').toBe(failed.length)
      for (const one of failed) {
        const [status] = await askEachWay(me, session, one)
        expect(status).toBeOk()
        const row = rows.find(({ referenceNumber }) => referenceNumber === one.referenceNumber)
        expect(row, 'a row, against what was sent').toMatchObject(one.expected)
        expect(row, 'a row, as the status').toEqual(comparable(fields(status)))
      }
    },
  )
}
