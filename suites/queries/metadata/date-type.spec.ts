import { issuedAround } from '../../support/filters.ts'
import type { DateType, Filters } from '../../support/filters.ts'
import { rule } from '../../support/rule.ts'
import { findAll, numbersOf, page } from '../../support/searches.ts'
import { accept } from '../../support/steps.ts'
import { expect, test } from '../../support/test.ts'

const day = 24 * 3600 * 1000

/** A range of three days around an instant. */
const near = (instant: number, dateType: DateType): Filters => ({
  subjectType: 'subject1',
  dateRange: {
    dateType,
    from: new Date(instant - 1.5 * day).toISOString(),
    to: new Date(instant + 1.5 * day).toISOString(),
  },
})

for (const dateType of ['issue', 'acquisition', 'invoicing', 'permanentStorage'] as const) {
  test(...rule('queries.metadata.date-type', dateType), async ({ open, invoice, clock }) => {
    const desk = await open()
    const now = clock.now()
    const issued = now - 10 * day
    const issueDate = new Date(issued).toISOString().slice(0, 10)
    const { svcNumber } = await accept(desk, invoice({ issueDate }).bytes)
    await findAll(desk.api, { ...issuedAround(now), svcNumber }, [svcNumber])
    const [here, there] = dateType === 'issue' ? [issued, now] : [now, issued]
    const hit = await page(desk.api, near(here, dateType))
    expect(numbersOf([hit]), `found around its date of ${dateType}`).toEqual([svcNumber])
    const miss = await page(desk.api, near(there, dateType))
    expect(numbersOf([miss]), `found around another of its dates by ${dateType}`).toEqual([])
  })
}

test(...rule('queries.metadata.date-type', 'unknown'), async ({ login, clock }) => {
  const { api } = await login()
  const filters = issuedAround(clock.now())
  const body = { ...filters, dateRange: { ...filters.dateRange, dateType: 'payment' } }
  expect(await api.call('queries.metadata', { body })).toBeRefused('invalid-input')
})
