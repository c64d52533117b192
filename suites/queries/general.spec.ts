import { expectStableOrder } from '../support/scenes/arrivals.ts'
import { issuedAround, subjectTypes } from '../support/steps/filters.ts'
import type { DateType, Filters } from '../support/steps/filters.ts'
import { isoDay } from '../../lib/local-time.ts'
import { rule } from '../support/checks/rule.ts'
import { findAll, numbersOf, page } from '../support/steps/searches.ts'
import { accept } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const day = 24 * 3600 * 1000

const general = 'queries.general'

const between = (from: number, to: number, dateType: DateType = 'issue'): Filters => ({
  subjectType: 'subject1',
  dateRange: { dateType, from: new Date(from).toISOString(), to: new Date(to).toISOString() },
})

test(...rule('queries.general.date-range', 'found'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const now = clock.now()
  const old = new Date(now - 10 * day).toISOString().slice(0, 10)
  const before = await accept(desk, invoice({ issueDate: old }).bytes)
  const today = await accept(desk, invoice().bytes)
  await findAll(desk.api, issuedAround(now), [before.svcNumber, today.svcNumber])
  const all = await page(desk.api, between(now - 15 * day, now + day), {}, general)
  expect(numbersOf([all]).toSorted(), 'in a range with both').toEqual(
    [before.svcNumber, today.svcNumber].toSorted(),
  )
  const early = await page(desk.api, between(now - 15 * day, now - 5 * day), {}, general)
  expect(numbersOf([early]), 'in a range that contains the earlier invoice').toEqual([
    before.svcNumber,
  ])
  const none = await page(desk.api, between(now - 40 * day, now - 20 * day), {}, general)
  expect(numbersOf([none]), 'in a range without invoices').toEqual([])
})

test(
  ...rule('queries.general.date-range', 'of another context'),
  async ({ open, invoice, clock, login, another }) => {
    const desk = await open()
    const { svcNumber } = await accept(desk, invoice({ buyer: '5265877635' }).bytes)
    await findAll(desk.api, issuedAround(clock.now()), [svcNumber])
    const stranger = await login({ context: await another() })
    for (const role of subjectTypes) {
      const found = await page(stranger.api, issuedAround(clock.now(), role), {}, general)
      expect(numbersOf([found]), `invoices that another context finds as ${role}`).toEqual([])
    }
  },
)

test(
  ...rule('queries.general.date-range', 'found, by a colleague of the sender'),
  async ({ open, invoice, clock, limited }) => {
    const desk = await open()
    const { svcNumber } = await accept(desk, invoice().bytes)
    const filters = issuedAround(clock.now())
    await findAll(desk.api, filters, [svcNumber])
    const { api } = await limited(['InvoiceRead'])
    const found = await page(api, filters, {}, general)
    expect(numbersOf([found]), 'invoices of the context').toContain(svcNumber)
  },
)

test(
  ...rule('queries.general.date-range', 'found, while invoices arrive'),
  async ({ login, invoice, clock }) => {
    await expectStableOrder({ login, invoice, clock }, general)
  },
)

test(...rule('queries.general.date-range', 'order'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const now = clock.now()
  const days = [1, 3, 2].map((ago) => isoDay(now - ago * day))
  const numbers: string[] = []
  for (const issueDate of days)
    numbers.push((await accept(desk, invoice({ issueDate }).bytes)).svcNumber)
  await findAll(desk.api, issuedAround(now), numbers)
  const { invoices } = await page(desk.api, issuedAround(now), {}, general)
  expect(
    invoices.map(({ issueDate }) => issueDate),
    'issue dates of the matches, ascending',
  ).toEqual(days.toSorted())
})

test(...rule('queries.general.date-range', 'too wide'), async ({ login, clock }) => {
  const { api } = await login()
  const body = between(clock.now() - 200 * day, clock.now())
  expect(await api.call(general, { body })).toBeRefused('invalid-input')
})

test(...rule('queries.general.date-range', 'reversed'), async ({ login, clock }) => {
  const { api } = await login()
  const body = between(clock.now(), clock.now() - day)
  expect(await api.call(general, { body })).toBeRefused('invalid-input')
})
