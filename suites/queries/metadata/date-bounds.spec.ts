import { localTime } from '../../../lib/local-time.ts'
import type { VariantText } from '../../../contract/rules.ts'
import { limits } from '../../../contract/limits.ts'
import type { Client } from '../../../lib/client.ts'
import { instantKind, issuedAround } from '../../support/steps/filters.ts'
import type { Filters } from '../../support/steps/filters.ts'
import { rule } from '../../support/checks/rule.ts'
import { findAll, numbersOf, page, pageIn, search } from '../../support/steps/searches.ts'
import type { Found } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import type { Desk } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

const hour = 3600 * 1000

const received = ({ dialect }: Client, from: string, to: string): Filters => ({
  subjectType: 'subject1',
  dateRange: { dateType: instantKind(dialect), from, to },
})

const iso = (instant: number): string => new Date(instant).toISOString()

/** An instant as written with an offset of some hours ahead of UTC. */
const at = (instant: number, hours: number): string =>
  new Date(instant + hours * hour).toISOString().replace('Z', `+0${hours}:00`)

/** Sends the caller's only invoice; returns its number and the instant by which a search finds it. */
const sent = async (desk: Desk, bytes: Uint8Array, now: number) => {
  const { svcNumber } = await accept(desk, bytes)
  const [found] = await findAll(desk.api, issuedAround(now), [svcNumber])
  const { acquisitionDate, invoicingDate } = found as Found
  const acquired = instantKind(desk.api.dialect) === 'acquisition'
  return { svcNumber, moment: Date.parse(acquired ? acquisitionDate : invoicingDate) }
}

const bounds: readonly (readonly [
  VariantText<'queries.metadata.date-bounds'>,
  (moment: number) => [string, string],
  number,
])[] = [
  ['offset, UTC', (moment) => [iso(moment - hour), iso(moment + hour)], 1],
  ['offset, other', (moment) => [at(moment - hour, 2), at(moment + hour, 2)], 1],
  ['offset, of each bound', (moment) => [at(moment - hour, 9), iso(moment + hour)], 1],
  ['offset, other, before', (moment) => [at(moment - 3 * hour, 5), at(moment - hour, 5)], 0],
  ['bound, start', (moment) => [iso(moment), iso(moment + hour)], 1],
  ['bound, end', (moment) => [iso(moment - hour), iso(moment)], 1],
  ['bound, just after', (moment) => [iso(moment + 1), iso(moment + hour)], 0],
  ['bound, just before', (moment) => [iso(moment - hour), iso(moment - 1)], 0],
]

for (const [what, range, count] of bounds) {
  test(...rule('queries.metadata.date-bounds', what), async ({ open, invoice, clock }) => {
    const desk = await open()
    const { moment, svcNumber } = await sent(desk, invoice().bytes, clock.now())
    const answer = await search(desk.api, received(desk.api, ...range(moment)))
    expect(answer, `a range ${what}`).toBeOk()
    expect(numbersOf([pageIn(answer)]), `invoices that a range ${what} returns`).toEqual(
      count === 1 ? [svcNumber] : [],
    )
  })
}

test(...rule('queries.metadata.date-bounds', 'offset, none'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { moment, svcNumber } = await sent(desk, invoice().bytes, clock.now())
  // Warsaw is one or two hours ahead of UTC, so half an hour around its time is not half an hour around UTC's.
  const found = await page(
    desk.api,
    received(desk.api, localTime(moment - hour / 2), localTime(moment + hour / 2)),
  )
  expect(numbersOf([found]), 'found by Warsaw time').toEqual([svcNumber])
})

test(...rule('queries.metadata.date-bounds', 'open end'), async ({ open, invoice, clock }) => {
  const desk = await open()
  const { moment, svcNumber } = await sent(desk, invoice().bytes, clock.now())
  const from = iso(moment - hour)
  const found = await page(desk.api, {
    subjectType: 'subject1',
    dateRange: { dateType: instantKind(desk.api.dialect), from },
  })
  expect(numbersOf([found]), 'found up to the current time').toEqual([svcNumber])
})

const wrong = [
  ['word', 'yesterday'],
  ['empty', ''],
  ['no such day', '2026-02-30T00:00:00Z'],
  ['no such month', '2026-13-01T00:00:00Z'],
  ['other format', '15.06.2026'],
  ['number', 20260615],
] as const

for (const [what, from] of wrong) {
  test(
    ...rule('queries.metadata.date-bounds', `invalid date, ${what}`),
    async ({ login, clock }) => {
      const { api } = await login()
      const filters = issuedAround(clock.now())
      const body = { ...filters, dateRange: { ...filters.dateRange, from } }
      expect(await api.call('queries.metadata', { body })).toBeRefused('invalid-input')
    },
  )
}

test(
  ...rule('queries.metadata.date-bounds', 'invalid date, no such day of a short month'),
  async ({ login, clock }) => {
    const { api } = await login()
    // So recent that the range would not be too wide if the date were read as a day of the next month.
    const months = [0, 1, 2, 3].map((ago) => new Date(monthsAfter(clock.now(), -ago)))
    const short = months.find((month) => {
      const last = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0))
      return last.getUTCDate() < 31 && last.getTime() < clock.now()
    })
    const day = `${short?.toISOString().slice(0, 7)}-31T00:00:00Z`
    const body = received(api, day, iso(clock.now()))
    expect(await api.call('queries.metadata', { body }), day).toBeRefused('invalid-input')
  },
)

test(...rule('queries.metadata.date-bounds', 'reversed'), async ({ login, clock }) => {
  const { api } = await login()
  const [now, before] = [clock.now(), clock.now() - hour]
  // The second is reversed although its texts are not.
  for (const [from, to] of [
    [iso(now), iso(before)],
    [iso(now), at(before, 9)],
  ] as const) {
    const body = received(api, from, to)
    expect(await api.call('queries.metadata', { body }), `${from} to ${to}`).toBeRefused(
      'invalid-input',
    )
  }
})

const monthsAfter = (instant: number, months: number): number => {
  const date = new Date(instant)
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.getTime()
}

for (const [what, more, refused] of [
  ['maximum width', 0, false],
  ['too wide', 25 * hour, true],
] as const) {
  test(...rule('queries.metadata.date-bounds', what), async ({ login, clock, target }) => {
    const { api } = await login()
    const months = target.dialect.limits['query.months'] ?? limits['query.months'].value
    const from = monthsAfter(clock.now(), -months - 1)
    const body = received(api, iso(from), iso(monthsAfter(from, months) + more))
    const answer = await api.call('queries.metadata', { body })
    if (refused) expect(answer).toBeRefused('invalid-input')
    else expect(answer).toBeOk()
  })
}

test(
  ...rule('queries.metadata.date-bounds', 'beyond the data'),
  async ({ open, invoice, target }) => {
    const desk = await open()
    await accept(desk, invoice().bytes)
    const dateRange = {
      dateType: 'permanentStorage',
      from: iso(target.now() + 24 * hour),
      to: iso(target.now() + 48 * hour),
      restrictToPermanentStorageHwmDate: true,
    }
    const body = { subjectType: 'subject1', dateRange }
    expect(await desk.api.call('queries.metadata', { body })).toBeRefused('query-outside-data')
  },
)
