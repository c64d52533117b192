import { openOnline } from '../../../lib/flows/session.ts'
import { isoDay } from '../../../lib/local-time.ts'
import type { Me } from '../service/contexts.ts'
import { issuedAround } from '../steps/filters.ts'
import type { Filters } from '../steps/filters.ts'
import type { Fixtures } from '../harness/fixtures.ts'
import { formCodes } from '../checks/forms.ts'
import type { MadeInvoice } from '../documents/invoice-source.ts'
import { listInvoices, packed, sendBatch } from '../steps/packages.ts'
import { findAll, numbersOf, page } from '../steps/searches.ts'
import type { Page, SearchOperation } from '../steps/searches.ts'
import { accept } from '../steps/steps.ts'
import { expect } from '../harness/test.ts'

/** Searches while invoices arrive. */

/** Has this many invoices of the caller accepted, in one package; returns their service numbers. */
export const acceptMany = async (
  { api }: Me,
  count: number,
  invoice: () => MadeInvoice,
): Promise<string[]> => {
  const documents = Array.from({ length: count }, () => invoice())
  const { referenceNumber } = await sendBatch(api, await packed(documents))
  const listed = await listInvoices(api, referenceNumber)
  return listed.flatMap(({ svcNumber }) => svcNumber ?? [])
}

/** What was stored within a range, restricted to the high-water mark or not. */
export const stored = (from: number, to?: number, restricted = false): Filters => ({
  subjectType: 'subject1',
  dateRange: {
    dateType: 'permanentStorage',
    from: new Date(from).toISOString(),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
    ...(restricted ? { restrictToPermanentStorageHwmDate: true } : {}),
  },
})

/** Expects each match once where all dates of issue are equal, and more such invoices arrive between the pages. */
export const expectStableOrder = async (
  { login, invoice, clock }: Pick<Fixtures, 'login' | 'invoice' | 'clock'>,
  operation: SearchOperation,
): Promise<void> => {
  const me = await login()
  const { api } = me
  const session = await openOnline(api, { formCode: formCodes.fa3 })
  const today = () => invoice({ issueDate: isoDay(clock.now()) })
  const numbers = await acceptMany(me, 12, today)
  const filters = issuedAround(clock.now())
  await findAll(api, filters, numbers)
  const seen: Page[] = []
  do {
    seen.push(await page(api, filters, { pageSize: 10, pageOffset: seen.length }, operation))
    if (seen.length > 2) continue
    numbers.push((await accept({ api, session }, today().bytes)).svcNumber)
    await findAll(api, filters, numbers)
  } while (seen.at(-1)?.hasMore === true)
  const found = numbersOf(seen)
  expect(new Set(found).size, 'different ones on all pages').toBe(found.length)
  expect(found, 'every match').toEqual(expect.arrayContaining(numbers.slice(0, 13)))
}
