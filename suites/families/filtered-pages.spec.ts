import { closeOnline, openOnline, settleSession } from '../../lib/flows/session.ts'
import { statusOf } from '../../lib/flows/settle.ts'
import { isoDay } from '../../lib/local-time.ts'
import { issuedAround } from '../support/filters.ts'
import { formCodes } from '../support/forms.ts'
import { expectPagesOfInvoices } from '../support/page-sizes.ts'
import { listInvoices, packed, sendBatch } from '../support/packages.ts'
import { pagesByToken } from '../support/paged-lists.ts'
import { familyRule } from '../support/rule.ts'
import { searchable } from '../support/searches.ts'
import { withoutRates } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

/** Lists narrowed by a filter, page by page: rows that the filter excludes lie between those that it keeps. */

/** Rows of each of two kinds: two pages of the smallest size, the second with one row. */
const ofEach = 11

test(
  ...familyRule('sessions.list.complete', 'filtered list in pages', 'sessions'),
  async ({ login, target, clock }) => {
    await withoutRates(target)
    const { api } = await login()
    const begun = clock.now()
    const opened: Record<'InProgress' | 'Cancelled', string[]> = { InProgress: [], Cancelled: [] }
    for (let count = 0; count < ofEach; count += 1) {
      const open = await openOnline(api, { formCode: formCodes.fa3 })
      opened.InProgress.push(open.referenceNumber)
      const empty = await openOnline(api, { formCode: formCodes.fa3 })
      await closeOnline(api, empty)
      await settleSession(api, empty)
      opened.Cancelled.push(empty.referenceNumber)
    }
    const found = async (more: Readonly<Record<string, string | readonly string[]>>) => {
      const query = { sessionType: 'Online', pageSize: 10, ...more }
      const pages = await pagesByToken(api, 'sessions.list', 'sessions', query)
      const what = JSON.stringify(more)
      expect(
        pages.slice(0, -1).map(({ length }) => length),
        `rows on each page but the last, ${what}`,
      ).toEqual(pages.slice(0, -1).map(() => 10))
      return pages.flat().map(({ referenceNumber }) => String(referenceNumber))
    }
    const all = [...opened.InProgress, ...opened.Cancelled]
    for (const [outcome, references] of Object.entries(opened)) {
      const rows = await found({ statuses: [outcome] })
      expect(rows.toSorted(), `the ${outcome} ones`).toEqual(references.toSorted())
    }
    const both = await found({ statuses: Object.keys(opened) })
    expect(both.toSorted(), 'both outcomes').toEqual(all.toSorted())
    const since = new Date(begun - 60_000).toISOString()
    const closed = await found({ dateClosedFrom: since })
    expect(closed.toSorted(), 'those closed since').toEqual(opened.Cancelled.toSorted())
    const created = await found({ dateCreatedFrom: since, statuses: ['InProgress'] })
    expect(created.toSorted(), 'those opened since, and still open').toEqual(
      opened.InProgress.toSorted(),
    )
  },
)

test(
  ...familyRule('sessions.batch.failed-list', 'filtered list in pages', 'rejected documents'),
  async ({ login, invoice, target }) => {
    await withoutRates(target)
    const { api } = await login()
    const documents = Array.from({ length: 2 * ofEach }, (_, place) =>
      place % 2 === 0 ? invoice() : { bytes: new TextEncoder().encode(`<a>${place}</a>`) },
    )
    const { referenceNumber } = await sendBatch(api, await packed(documents))
    const all = await listInvoices(api, referenceNumber)
    const failed = all.filter(({ svcNumber }) => typeof svcNumber !== 'string')
    expect(failed.length, 'rejected documents among all').toBe(ofEach)
    const more = { path: { referenceNumber } }
    const pages = await pagesByToken(api, 'sessions.failed', 'invoices', { pageSize: 10 }, more)
    expect(
      pages.map(({ length }) => length),
      'rows on each page',
    ).toEqual([10, 1])
    for (const row of pages.flat())
      expect(statusOf(row)?.code, 'the state of a row').toBeGreaterThanOrEqual(400)
    expect(
      pages
        .flat()
        .map((row) => String(row['referenceNumber']))
        .toSorted(),
      'the rejected documents, each once',
    ).toEqual(failed.map((row) => row.referenceNumber).toSorted())
  },
)

for (const [id, operation] of [
  ['queries.metadata.paging', 'queries.metadata'],
  ['queries.general.date-range', 'queries.general'],
] as const) {
  test(
    ...familyRule(id, 'filtered list in pages', 'invoices'),
    async ({ login, invoice, target }) => {
      await withoutRates(target)
      const { api } = await login()
      const documents = Array.from({ length: 4 * ofEach }, (_, place) =>
        invoice({ kind: place % 2 === 0 ? 'VAT' : 'UPR' }),
      )
      const { referenceNumber } = await sendBatch(api, await packed(documents))
      const rows = await listInvoices(api, referenceNumber)
      const numbersOfKind = (kind: string): string[] =>
        documents
          .filter((made) => made.kind === kind)
          .flatMap(({ number }) => {
            const row = rows.find(({ invoiceNumber }) => invoiceNumber === number)
            return row?.svcNumber ?? []
          })
      for (const [kind, type] of [
        ['VAT', 'Vat'],
        ['UPR', 'Upr'],
      ] as const) {
        const expected = numbersOfKind(kind)
        const body = { ...issuedAround(target.now()), invoiceTypes: [type] }
        await searchable(api, body, expected)
        await expectPagesOfInvoices(api, operation, body, expected, 2 * ofEach)
      }
    },
  )

  test(
    ...familyRule(id, 'filtered list in pages', 'invoices of some days'),
    async ({ login, invoice, target }) => {
      await withoutRates(target)
      const { api } = await login()
      const daysAgo = (days: number): number => target.now() - days * 24 * 3_600_000
      const documents = Array.from({ length: 4 * ofEach }, (_, place) =>
        invoice({ issueDate: isoDay(daysAgo([1, 5, 3, 3][place % 4] ?? 3)) }),
      )
      const { referenceNumber } = await sendBatch(api, await packed(documents))
      const rows = await listInvoices(api, referenceNumber)
      const issuedOn = new Map(documents.map(({ number, issueDate }) => [number, issueDate]))
      const expected = rows
        .filter(({ invoiceNumber = '' }) => issuedOn.get(invoiceNumber) === isoDay(daysAgo(3)))
        .flatMap(({ svcNumber }) => svcNumber ?? [])
      const [from = '', to = ''] = [4, 2].map((days) => new Date(daysAgo(days)).toISOString())
      const dateRange = { dateType: 'issue', from, to } as const
      const body = { subjectType: 'subject1', dateRange } as const
      await searchable(api, body, expected)
      await expectPagesOfInvoices(api, operation, body, expected, 2 * ofEach)
    },
  )
}
