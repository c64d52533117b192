import { settleInvoice, submit } from '../../lib/flows/session.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { outcomeOfCode } from '../support/matchers.ts'
import { listInvoices } from '../support/packages.ts'
import { familyRule } from '../support/rule.ts'
import { askEachWay, comparable, sendInvoices, sentKinds } from '../support/sent-invoices.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** What the statuses and lists report of invoices of each outcome, compared with what was sent and with each other. */

test(
  ...familyRule('invoices.number.unique', 'sent invoice', 'number with the success'),
  async ({ open, invoice }) => {
    const { api, session, me } = await open()
    const { referenceNumber } = await submit(api, session, invoice().bytes)
    // Looked at once, where nothing says yet whether it is accepted.
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
