import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { Inconclusive, expectObject } from '../../../lib/outcome.ts'
import { poll } from '../../../lib/poll.ts'
import type { Filters } from './filters.ts'
import { oneWay } from '../run/habits.ts'
import { notOffered } from '../run/not-offered.ts'
import { ownOnly, sharesContext } from '../run/own-work.ts'

/** The metadata of one invoice. */
export interface Found {
  readonly svcNumber: string
  readonly invoiceNumber: string
  readonly issueDate: string
  readonly acquisitionDate: string
  readonly invoicingDate: string
  readonly permanentStorageDate: string
  readonly invoiceHash: string
  readonly seller: { readonly nip: string }
  readonly [more: string]: unknown
}

export interface Page {
  readonly invoices: readonly Found[]
  readonly hasMore: boolean
  readonly isTruncated?: boolean
  readonly permanentStorageHwmDate?: string | null
}

export type SearchOperation = 'queries.metadata' | 'queries.general'

/** Offset, size and order of a page. */
export interface Paging {
  readonly pageOffset?: number
  readonly pageSize?: number
  readonly sortOrder?: 'Asc' | 'Desc'
}

const step = 'search the invoices'

/** Asks for one page of the matches of a filter. */
export const search = (
  api: Client,
  body: Filters,
  paging: Paging = {},
  operation: SearchOperation = 'queries.metadata',
): Promise<Exchange> => {
  // Where others' invoices are found too, the newest come first: the check's own are among them.
  const whole: Paging = sharesContext() ? { pageSize: 250, sortOrder: 'Desc' } : { pageSize: 100 }
  return api.call(operation, { body, query: { ...whole, ...paging } })
}

/**
 * The page that a search was answered with.
 * @throws {Inconclusive} when there is none
 */
export const pageIn = (exchange: Exchange): Page => {
  const found = expectObject(exchange, step)
  if (Array.isArray(found['invoices'])) {
    const all = found as unknown as Page
    return { ...all, invoices: ownOnly(all.invoices) }
  }
  throw new Inconclusive(step, 'a list `invoices`', exchange)
}

/** The first page in the usual order, asked for from the other end where all matches are on it. */
const firstPage = async (...asked: Parameters<typeof search>): Promise<Page> => {
  const [api, body, paging = {}, operation = 'queries.metadata'] = asked
  // The general query has one order.
  const isFree = operation === 'queries.metadata' && Object.keys(paging).length === 0
  if (isFree && !sharesContext() && oneWay([false, true])) {
    const last = pageIn(await search(api, body, { sortOrder: 'Desc' }, operation))
    if (!last.hasMore) return { ...last, invoices: last.invoices.toReversed() }
  }
  return pageIn(await search(...asked))
}

/**
 * One page of the matches of a filter.
 * @throws {Inconclusive} when there is no such page
 * @throws {NotOffered} where others' invoices hide those of the check
 */
export const page = async (...asked: Parameters<typeof search>): Promise<Page> => {
  const first = await firstPage(...asked)
  const [api, body, paging, operation] = asked
  // The general query has one order: where others' invoices are found too, the newest are on the last page.
  const isWhole = operation !== 'queries.general' || paging?.pageOffset !== undefined
  if (isWhole || !sharesContext()) return first
  const all = merged(await pages(api, body, paging, operation))
  if (all.isTruncated === true)
    throw notOffered('fresh', 'the context has more invoices than a search shows')
  return all
}

/** More pages than any list has: 10,000 invoices, ten on a page. */
const maxPages = 1_001

/**
 * All matches of a filter that the service shows, over all pages; it truncates a list that is too long.
 * @throws {Inconclusive} when a page is refused, or there is no end of them
 */
export const pages = async (
  api: Client,
  body: Filters,
  paging: Paging = {},
  operation?: SearchOperation,
): Promise<Page[]> => {
  const all: Page[] = []
  while (all.length < maxPages) {
    const next = await page(api, body, { ...paging, pageOffset: all.length }, operation)
    all.push(next)
    if (!next.hasMore || next.isTruncated === true) return all
  }
  throw new Inconclusive(step, 'a last page')
}

/** The matches on several pages, as one. */
const merged = (all: readonly Page[]): Page => ({
  ...all.at(-1)!,
  invoices: all.flatMap(({ invoices }) => invoices),
})

export const numbersOf = (found: readonly { readonly invoices: readonly Found[] }[]): string[] =>
  found.flatMap(({ invoices }) => invoices.map(({ svcNumber }) => svcNumber))

const awaited = async (
  api: Client,
  body: Filters,
  expected: readonly string[],
): Promise<{ readonly last: Page; readonly done: boolean }> => {
  const missingIn = (seen: Page) => {
    const numbers = new Set(numbersOf([seen]))
    return expected.filter((number) => !numbers.has(number))
  }
  const isThere = (seen: Page) => missingIn(seen).length === 0
  const { last, done } = await poll(() => page(api, body), isThere, {
    everyMs: 2_000,
    times: 6,
    atMostMs: 10_000,
    sleep: api.sleep,
  })
  if (done || !last.hasMore || !sharesContext()) return { last, done }
  // Where others' invoices are found too, those of an earlier date lie on later pages, of which there may be more than
  // the service shows.
  const rest: Page[] = []
  for (const svcNumber of missingIn(last)) rest.push(await page(api, { ...body, svcNumber }))
  const all = { ...last, invoices: [last, ...rest].flatMap(({ invoices }) => invoices) }
  return { last: all, done: isThere(all) }
}

/**
 * What a filter finds once invoices that were accepted have become searchable: they may take a moment.
 * @throws {Inconclusive} when they do not turn up
 */
export const findAll = async (
  api: Client,
  body: Filters,
  expected: readonly string[],
): Promise<readonly Found[]> => {
  const { last, done } = await awaited(api, body, expected)
  if (done) return last.invoices
  throw new Inconclusive(step, `${expected.join(', ')} among what it finds`)
}

/**
 * Waits until invoices are searchable: all are found together, or the missing ones one by one. For checks that judge
 * the pages: a fault of the pages must not be taken for a delay.
 * @throws {Inconclusive} when they do not turn up
 */
export const searchable = async (
  api: Client,
  body: Filters,
  expected: readonly string[],
): Promise<void> => {
  const found = new Set(numbersOf([await lookFor(api, body, expected)]))
  for (const svcNumber of expected.filter((number) => !found.has(number)))
    await findAll(api, { ...body, svcNumber }, [svcNumber])
}

/** What a filter finds after some time to become searchable; if invoices are missing, the check judges that. */
export const lookFor = async (
  api: Client,
  body: Filters,
  expected: readonly string[],
): Promise<Page> => (await awaited(api, body, expected)).last
