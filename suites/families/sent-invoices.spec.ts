import { listInvoices } from '../support/packages.ts'
import { familyRule } from '../support/rule.ts'
import { askEachWay, comparable, sendInvoices, sentKinds } from '../support/sent-invoices.ts'
import { fields, outcomeOfInvoice, recordOf } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** What the statuses and lists report of invoices of each outcome, compared with what was sent and with each other. */

test(
  ...familyRule('invoices.status.outcome', 'sent invoice', 'number in the session'),
  async ({ open, invoice }) => {
    const desk = await open()
    const outcome = await outcomeOfInvoice(desk, invoice().bytes)
    expect(outcome).toHaveSucceeded('invoice')
    expect(recordOf(outcome)['svcNumber'], 'the service number').toMatch(/\S/)
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
