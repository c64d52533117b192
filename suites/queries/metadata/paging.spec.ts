import { exportBody } from '../../../lib/flows/export.ts'
import { drawSecret } from '../../../lib/flows/session.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { acceptMany, expectStableOrder, stored } from '../../support/scenes/arrivals.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { isoDay } from '../../../lib/local-time.ts'
import { offered } from '../../support/service/offered.ts'
import { rule } from '../../support/checks/rule.ts'
import { findAll, lookFor, numbersOf, page, pages, search } from '../../support/steps/searches.ts'
import type { Page } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

const day = 24 * 3600 * 1000

const sizes = [
  [25, 10],
  [20, 10],
  [11, 10],
  [10, 10],
] as const

for (const [count, pageSize] of sizes) {
  test(
    ...rule('queries.metadata.paging', `static, ${count} in pages of ${pageSize}`),
    async ({ login, invoice, clock }) => {
      const me = await login()
      const numbers = await acceptMany(me, count, invoice)
      const filters = issuedAround(clock.now())
      await findAll(me.api, filters, numbers)
      const all = await pages(me.api, filters, { pageSize })
      expect(numbersOf(all).toSorted(), 'every match, once').toEqual(numbers.toSorted())
      const lengths = all.map(({ invoices }) => invoices.length)
      expect(Math.max(...lengths), 'the longest page').toBeLessThanOrEqual(pageSize)
    },
  )
}

test(
  ...rule('queries.metadata.paging', 'order, ascending and descending'),
  async ({ login, invoice, clock }) => {
    const me = await login()
    const numbers = await acceptMany(me, 13, invoice)
    const filters = stored(clock.now() - day, clock.now() + day)
    await findAll(me.api, filters, numbers)
    const up = numbersOf(await pages(me.api, filters, { pageSize: 10, sortOrder: 'Asc' }))
    const down = numbersOf(await pages(me.api, filters, { pageSize: 10, sortOrder: 'Desc' }))
    expect(up.toSorted(), 'every match once, ascending').toEqual(numbers.toSorted())
    expect(down, 'every match once, descending').toEqual(up.toReversed())
  },
)

test(...rule('queries.metadata.paging', 'order, by date'), async ({ login, invoice, clock }) => {
  const me = await login()
  const first = await acceptMany(me, 3, invoice)
  const second = await acceptMany(me, 3, invoice)
  const filters = stored(clock.now() - day, clock.now() + day)
  const found = await findAll(me.api, filters, [...first, ...second])
  const dates = found.map(({ permanentStorageDate }) => Date.parse(permanentStorageDate))
  expect(dates, 'dates of the matches, ascending').toEqual(dates.toSorted((a, b) => a - b))
})

test(
  ...rule('queries.metadata.paging', 'order, by issue date'),
  async ({ open, invoice, clock }) => {
    const desk = await open()
    const days = [1, 3, 2].map((ago) => isoDay(clock.now() - ago * day))
    const numbers: string[] = []
    for (const issueDate of days)
      numbers.push((await accept(desk, invoice({ issueDate }).bytes)).svcNumber)
    const filters = issuedAround(clock.now())
    await findAll(desk.api, filters, numbers)
    const { invoices: found } = await page(desk.api, filters, { pageSize: 100 })
    expect(
      found.map(({ issueDate }) => issueDate),
      'issue dates of the matches, ascending',
    ).toEqual(days.toSorted())
  },
)

test(...rule('queries.metadata.paging', 'growing'), async ({ login, open, invoice, clock }) => {
  const me = await login()
  const desk = await open({ me })
  const numbers = await acceptMany(me, 15, invoice)
  const filters = stored(clock.now() - day, clock.now() + day)
  await findAll(me.api, filters, numbers)
  const seen = [await page(me.api, filters, { pageSize: 10, pageOffset: 0 })]
  for (let more = 0; more < 3; more += 1)
    numbers.push((await accept(desk, invoice().bytes)).svcNumber)
  await findAll(me.api, filters, numbers)
  for (let pageOffset = 1; seen.at(-1)?.hasMore === true; pageOffset += 1)
    seen.push(await page(me.api, filters, { pageSize: 10, pageOffset }))
  expect(numbersOf(seen).toSorted(), 'every match, once').toEqual(numbers.toSorted())
})

test(
  ...rule('queries.metadata.paging', 'growing, by equal dates'),
  async ({ login, invoice, clock }) => {
    await expectStableOrder({ login, invoice, clock }, 'queries.metadata')
  },
)

test(
  ...rule('queries.metadata.paging', 'incremental synchronization'),
  async ({ login, open, invoice, clock }) => {
    const me = await login()
    const desk = await open({ me })
    const numbers: string[] = []
    const seen = new Set<string>()
    let from = clock.now() - day
    for (let round = 0; round < 3; round += 1) {
      for (let sent = 0; sent < 2; sent += 1)
        numbers.push((await accept(desk, invoice().bytes)).svcNumber)
      const found = await pages(me.api, stored(from, undefined, true), { pageSize: 10 })
      for (const number of numbersOf(found)) seen.add(number)
      const mark = found[0]?.permanentStorageHwmDate
      expect(mark, 'the high-water mark of a query by storage date').toBeTruthy()
      from = Date.parse(String(mark))
    }
    // Invoices that were too recent for the last round are above its mark once they are stored.
    await lookFor(me.api, stored(clock.now() - day), numbers)
    for (const number of numbersOf(await pages(me.api, stored(from)))) seen.add(number)
    expect([...seen].toSorted(), 'invoices that all rounds returned').toEqual(numbers.toSorted())
  },
)

test(
  ...rule('queries.metadata.paging', 'high-water mark'),
  async ({ login, open, invoice, clock, target }) => {
    const me = await login()
    const desk = await open({ me })
    const numbers = await acceptMany(me, 21, invoice)
    await findAll(me.api, stored(clock.now() - day), numbers)
    // Without a clock to move, the time between two calls has to suffice.
    if (target.management !== undefined) await clock.advance(5_000)
    const restricted = stored(clock.now() - day, undefined, true)
    // Adding a filter that excludes nothing must not change the result.
    const beside = { ...restricted, sellerNip: me.context.nip }
    for (const [sortOrder, operation, filters] of [
      ['Asc', 'queries.metadata', restricted],
      ['Desc', 'queries.metadata', beside],
      // The same query anew has the mark of this moment.
      [
        'Asc',
        offered('queries.general').length > 0 ? 'queries.general' : 'queries.metadata',
        beside,
      ],
    ] as const) {
      const answer = await search(me.api, filters, { pageSize: 10 }, operation)
      expect(answer, `restricted to the high-water mark, ${sortOrder}`).toBeOk()
      const before = numbers.toSorted()
      const seen: Page[] = []
      for (let pageOffset = 0; pageOffset * 10 < before.length; pageOffset += 1) {
        seen.push(await page(me.api, filters, { pageSize: 10, pageOffset, sortOrder }, operation))
        numbers.push((await accept(desk, invoice().bytes)).svcNumber)
        if (target.management !== undefined) await clock.advance(5_000)
        // Another query in between has a mark of its own.
        if (pageOffset === 0)
          await search(me.api, { ...filters, currencyCodes: ['USD'] }, { pageSize: 10 }, operation)
      }
      const [first, ...others] = seen.map((one) => one.permanentStorageHwmDate)
      expect(others, `the high-water marks of the other pages, ${sortOrder}`).toEqual(
        others.map(() => first),
      )
      expect(
        seen.map(({ isTruncated }) => isTruncated ?? false),
        'truncated pages',
      ).toEqual(seen.map(() => false))
      expect(numbersOf(seen).toSorted(), `what was stored before, ${sortOrder}`).toEqual(before)
      const last = Math.max(
        ...seen.flatMap(({ invoices }) =>
          invoices.map(({ permanentStorageDate }) => Date.parse(permanentStorageDate)),
        ),
      )
      expect(
        Date.parse(String(first)),
        'the mark, since the last that was stored',
      ).toBeGreaterThanOrEqual(last)
      await findAll(me.api, stored(clock.now() - day), numbers.slice(-3))
    }
    const body = await exportBody(me.api, { filters: restricted }, drawSecret())
    expect(
      await me.api.call('exports.create', { body }),
      'an export up to the high-water mark',
    ).toBeOk()
  },
)

for (const [what, query] of [
  ['invalid page, too small', { pageSize: 9 }],
  ['invalid page, too large', { pageSize: 251 }],
  ['invalid page, negative offset', { pageOffset: -1 }],
  ['invalid page, not a number', { pageOffset: 'two' }],
] as const) {
  test(...rule('queries.metadata.paging', what), async ({ login, clock }) => {
    const { api } = await login()
    const answer = await api.call('queries.metadata', { body: issuedAround(clock.now()), query })
    expect(answer).toBeRefused('invalid-input')
  })
}

test(...rule('queries.metadata.paging', 'past the end'), async ({ login, invoice, clock }) => {
  const me = await login()
  const numbers = await acceptMany(me, 2, invoice)
  const filters = issuedAround(clock.now())
  await findAll(me.api, filters, numbers)
  const answer = await me.api.call('queries.metadata', {
    body: filters,
    query: { pageSize: 10, pageOffset: 5 },
  })
  expectOk(answer, 'ask for a page beyond the last')
  expect(answer.body, 'a page after the last one').toMatchObject({ hasMore: false, invoices: [] })
})
