import { isoDay } from '../../../lib/local-time.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import type { DateType, Filters } from '../../support/steps/filters.ts'
import { rule } from '../../support/checks/rule.ts'
import { findAll, numbersOf, page } from '../../support/steps/searches.ts'
import { accept } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

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

/** The document with this day of supply, which is none of the dates that are searched by. */
const suppliedOn = (bytes: Uint8Array, date: string): Uint8Array => {
  const xml = Buffer.from(bytes).toString()
  const without = xml.replace(/<P_6>.*?<\/P_6>|<OkresFa>.*?<\/OkresFa>/s, '')
  const head = /<P_2>.*?<\/P_2>(?:\s*<WZ>.*?<\/WZ>)*/s
  return Buffer.from(without.replace(head, (before) => `${before}<P_6>${date}</P_6>`))
}

for (const dateType of ['issue', 'acquisition', 'invoicing', 'permanentStorage'] as const) {
  test(...rule('queries.metadata.date-type', dateType), async ({ open, invoice, clock }) => {
    const desk = await open()
    const now = clock.now()
    const issued = now - 10 * day
    const issueDate = isoDay(issued)
    const { bytes } = invoice({ kind: 'VAT', issueDate })
    const { svcNumber } = await accept(desk, suppliedOn(bytes, isoDay(now)))
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
