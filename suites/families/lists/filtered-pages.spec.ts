import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { openBatch } from '../../../lib/flows/batch.ts'
import { closeOnline, openOnline, settleSession } from '../../../lib/flows/session.ts'
import type { OnlineSession } from '../../../lib/flows/session.ts'
import { statusOf } from '../../../lib/flows/settle.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { created, numbersIn, search } from '../../support/scenes/collectives.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { grantPerson } from '../../support/callers/grants.ts'
import { expectPagesOfInvoices } from '../../support/steps/page-sizes.ts'
import { listInvoices, packed, sendBatch } from '../../support/steps/packages.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { searchable } from '../../support/steps/searches.ts'
import { mintToken, revokeToken } from '../../support/callers/service-token.ts'
import { accept } from '../../support/steps/steps.ts'
import { withoutRates } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Lists narrowed by a filter, page by page: rows that the filter excludes lie between those that it keeps. */

/** Rows of each of two kinds: two pages of the smallest size, the second with one row. */
const ofEach = 11

type Query = NonNullable<CallOptions['query']>

/** Reads a list page by page: every page but the last must be full. */
const reading =
  (api: Client, operation: OperationId, field: string, always: Query) => async (more: Query) => {
    const query = { pageSize: 10, ...always, ...more }
    const look = (answer: Exchange) => expect(answer, `a page, ${JSON.stringify(more)}`).toBeOk()
    const pages = await pagesByToken(api, operation, field, query, {}, { look, upTo: 2 * ofEach })
    expect(
      pages.slice(0, -1).map(({ length }) => length),
      `rows on each page but the last, ${JSON.stringify(more)}`,
    ).toEqual(pages.slice(0, -1).map(() => 10))
    return pages.flat().map(({ referenceNumber }) => String(referenceNumber))
  }

const openSession = (api: Client): Promise<OnlineSession> =>
  openOnline(api, { formCode: formCodes.fa3 })

/** Ends a session without invoices. */
const endSession = async (api: Client, session: OnlineSession): Promise<void> => {
  await closeOnline(api, session)
  await settleSession(api, session)
}

test(
  ...familyRule('sessions.list.complete', 'filtered list in pages', 'sessions'),
  async ({ login, invoice, target, clock }) => {
    await withoutRates(target)
    const { api } = await login()
    // Of the other type, after all others in the list.
    await openBatch(api, await packed([invoice()]), { formCode: formCodes.fa3 })
    const since = new Date(clock.now() - 60_000).toISOString()
    const opened: Record<'InProgress' | 'Cancelled', string[]> = { InProgress: [], Cancelled: [] }
    for (let count = 0; count < ofEach; count += 1) {
      opened.InProgress.push((await openSession(api)).referenceNumber)
      const empty = await openSession(api)
      await endSession(api, empty)
      opened.Cancelled.push(empty.referenceNumber)
    }
    const { InProgress, Cancelled } = opened
    const found = reading(api, 'sessions.list', 'sessions', { sessionType: 'Online' })
    const rows: readonly (readonly [Query, readonly string[]])[] = [
      [{ statuses: ['InProgress'] }, InProgress],
      [{ statuses: ['Cancelled'] }, Cancelled],
      [{ statuses: ['InProgress', 'Cancelled'] }, [...InProgress, ...Cancelled]],
      [{ dateClosedFrom: since }, Cancelled],
      [{ dateCreatedFrom: since, statuses: ['InProgress'] }, InProgress],
    ]
    for (const [filter, kept] of rows)
      expect((await found(filter)).toSorted(), JSON.stringify(filter)).toEqual(kept.toSorted())
  },
)

test(
  ...familyRule('sessions.list.complete', 'list filtered by time in pages', 'sessions'),
  async ({ login, target, clock }) => {
    await withoutRates(target)
    const { api } = await login()
    const {
      early,
      ended,
      late,
      fresh,
    }: Record<'early' | 'ended' | 'late' | 'fresh', OnlineSession[]> = {
      early: [],
      ended: [],
      late: [],
      fresh: [],
    }
    for (let count = 0; count < ofEach; count += 1) {
      early.push(await openSession(api))
      const empty = await openSession(api)
      ended.push(empty)
      await endSession(api, empty)
      late.push(await openSession(api))
    }
    await clock.advance(60_000)
    const middle = new Date(clock.now()).toISOString()
    await clock.advance(60_000)
    for (const session of late) await endSession(api, session)
    for (let count = 0; count < ofEach; count += 1) fresh.push(await openSession(api))
    const found = reading(api, 'sessions.list', 'sessions', { sessionType: 'Online' })
    for (const [filter, kept] of [
      [{ dateCreatedTo: middle }, [early, ended, late]],
      [{ dateCreatedFrom: middle }, [fresh]],
      [{ dateClosedTo: middle }, [ended]],
      [{ dateClosedFrom: middle }, [late]],
      [{ dateModifiedTo: middle }, [early, ended]],
      [{ dateModifiedFrom: middle }, [late, fresh]],
    ] as const)
      expect((await found(filter)).toSorted(), JSON.stringify(filter)).toEqual(
        kept.flatMap((some) => some.map(({ referenceNumber }) => referenceNumber)).toSorted(),
      )
  },
)

test(
  ...familyRule('tokens.list.narrowed', 'filtered list in pages', 'service tokens'),
  async ({ login, own, rng, target }) => {
    await withoutRates(target)
    const owner = await login()
    const { subject, context } = personAt(own, rng, target, 'Pesel')
    await grantPerson(owner.api, subject, ['InvoiceRead'])
    const visitor = await login({ context })
    const { active, revoked }: Record<'active' | 'revoked', string[]> = { active: [], revoked: [] }
    for (let count = 0; count < ofEach; count += 1) {
      const { referenceNumber = '' } = await mintToken(owner, ['InvoiceRead'], `alpha ${count}`)
      active.push(referenceNumber)
      const ended = await mintToken(visitor, ['InvoiceRead'], `beta ${count}`)
      await revokeToken(owner.api, ended.referenceNumber ?? '')
      revoked.push(ended.referenceNumber ?? '')
    }
    const found = reading(owner.api, 'tokens.list', 'tokens', {})
    for (const [filter, kept] of [
      [{ status: ['Active'] }, active],
      [{ status: ['Revoked'] }, revoked],
      [{ description: 'alpha' }, active],
      [{ description: 'beta' }, revoked],
      [{ authorIdentifier: own.nip }, active],
      [{ authorIdentifier: subject.value }, revoked],
      [{ authorIdentifierType: 'Nip' }, active],
      [{ authorIdentifierType: 'Pesel' }, revoked],
    ] as const)
      expect((await found(filter)).toSorted(), JSON.stringify(filter)).toEqual(kept.toSorted())
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
  ['queries.metadata.filters', 'queries.metadata'],
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

for (const [what, isLarger, filters] of [
  ['larger', true, [{ invoiceCountFrom: 2 }, { createdInCurrentContext: true }]],
  ['smaller', false, [{ invoiceCountTo: 1 }, { createdInCurrentContext: true }]],
] as const)
  test(
    ...familyRule(
      'invoices.collective.listed',
      'filtered list in pages',
      `collective identifiers, the oldest alone is ${what}`,
    ),
    async ({ open, login, another, invoice, clock, target }) => {
      await withoutRates(target)
      const desk = await open()
      const buyer = await login({ context: await another() })
      const send = async () => accept(desk, invoice({ buyer: buyer.context.nip }).bytes)
      const two = [await send(), await send()].map(({ svcNumber }) => ({ svcNumber }))
      const oldest = await created(desk.api, isLarger ? two : two.slice(0, 1))
      // More than fit on the first page.
      for (let newer = 0; newer < 11; newer += 1) {
        await clock.pass(1_000)
        await created(buyer.api, isLarger ? two.slice(0, 1) : two)
      }
      for (const filter of [...filters, { collectiveIdentifierNumber: oldest }]) {
        const answer = await search(clock.now())(desk.api)(filter)
        expect(answer, JSON.stringify(filter)).toBeOk()
        expect(numbersIn(answer), JSON.stringify(filter)).toEqual([oldest])
      }
    },
  )
