import { endpoint, pageSizesOf } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { expect } from '../judging/matchers.ts'
import { meaningOfRow } from '../answers/meaning.ts'
import type { Filters } from './filters.ts'
import { pagesByNumber, pagesByToken } from '../answers/paged-lists.ts'
import type { Row } from '../answers/paged-lists.ts'

/** Expects of a list that its rows come in pages of every size that is asked for. */

export interface Listed {
  readonly api: Client
  readonly operation: OperationId
  /** The field of the rows. */
  readonly field: string
  readonly path?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly identity: (row: Row) => string
  readonly rows: number
  /** What identifies the rows, where that is known beforehand. */
  readonly expected?: readonly string[]
  /** A filter, and how many rows it leaves: fewer than the smallest page holds. */
  readonly narrowed?: { readonly body: Row; readonly rows: number }
  /** Whether rows stay as they are while the list is read. */
  readonly lasting?: true
}

/** What a row means that is the same on every page: links and their ends are given out anew. */
const lastingPart = ({ operation, field }: Listed, row: Row): Row =>
  Object.fromEntries(
    Object.entries(meaningOfRow(operation, field, row)).filter(
      ([name]) => !/Url(ExpirationDate)?$/.test(name),
    ),
  )

/** Lengths of the pages of this many rows. */
const lengths = (rows: number, pageSize: number): number[] =>
  Array.from({ length: Math.ceil(rows / pageSize) }, (_, page) =>
    Math.min(pageSize, rows - page * pageSize),
  )

const byNumber = (operation: OperationId): boolean =>
  (endpoint(operation).parameters ?? []).some(({ name }) => name === 'pageOffset')

/** The pages of a list that should have `count`, and at most one more if it goes on. A refused page is a violation. */
export const judgedPages = (
  { api, operation, field, path = {}, body, query }: Omit<Listed, 'identity' | 'rows'>,
  pageSize: number,
  count: number,
): Promise<readonly (readonly Row[])[]> => {
  const judged = {
    look: (answer: Exchange) => expect(answer, `a page of ${pageSize}`).toBeOk(),
    upTo: count + 1,
  }
  return byNumber(operation)
    ? pagesByNumber(api, operation, field, { body, pageSize }, judged)
    : pagesByToken(api, operation, field, { ...query, pageSize }, { path, body }, judged)
}

/** Three pages of the smallest size, and of the next one two that are full and a last one with a single row. */
export const many = 23

const expectDefaultPage = async (listed: Listed): Promise<void> => {
  const { api, operation, field, path = {}, body, query = {}, rows } = listed
  const size = pageSizesOf(operation)?.default
  if (size === undefined) return
  const answer = await api.call(operation, { path, query, ...(body === undefined ? {} : { body }) })
  expect(answer, 'a page of no stated size').toBeOk()
  const found = ((answer.body ?? {}) as Readonly<Record<string, unknown>>)[field]
  expect(found, `rows of ${rows} on a page of no stated size`).toHaveLength(Math.min(size, rows))
}

/** Expects a filter to leave a single page, and none after it, though the whole list has more. */
const expectEnd = async (listed: Listed): Promise<void> => {
  const { api, field, narrowed, operation } = listed
  if (narrowed === undefined) return
  const pages = await judgedPages({ ...listed, body: narrowed.body }, 10, 1)
  const lengthsFound = pages.map(({ length }) => length)
  expect(lengthsFound, 'rows on each page, filtered').toEqual([narrowed.rows])
  if (!byNumber(operation)) return
  const query = { pageSize: 10, pageOffset: 1 }
  const after = await api.call(operation, { query, body: narrowed.body })
  expect(after, 'the page after the last one').toBeOk()
  const found = ((after.body ?? {}) as Row)[field]
  expect(found, 'rows after the last page, filtered').toEqual([])
}

export const expectPages = async (listed: Listed): Promise<void> => {
  const { rows, identity, expected } = listed
  await expectDefaultPage(listed)
  await expectEnd(listed)
  let whole: readonly string[] | undefined
  const first = new Map<string, Row>()
  const largest = pageSizesOf(listed.operation)?.maximum ?? rows
  for (const pageSize of [largest, rows, rows - 1, 11, 10]) {
    const pages = await judgedPages(listed, pageSize, lengths(rows, pageSize).length)
    const size = `in pages of ${pageSize}`
    expect(
      pages.map(({ length }) => length),
      `rows on each page, ${size}`,
    ).toEqual(lengths(rows, pageSize))
    const found = pages.flat().map(identity)
    for (const row of listed.lasting === true ? pages.flat() : []) {
      const before = first.get(identity(row))
      if (before === undefined) first.set(identity(row), lastingPart(listed, row))
      else expect(lastingPart(listed, row), `the row of ${identity(row)}, ${size}`).toEqual(before)
    }
    expect(new Set(found).size, `rows that differ, ${size}`).toBe(rows)
    if (expected !== undefined)
      expect(found.toSorted(), `rows, ${size}`).toEqual(expected.toSorted())
    whole ??= found.toSorted()
    expect(found.toSorted(), `the same rows, ${size}`).toEqual(whole)
  }
}

/** Expects the pages of a search that finds exactly these invoices. */
export const expectPagesOfInvoices = (
  api: Client,
  operation: 'queries.metadata' | 'queries.general',
  body: Filters,
  expected: readonly string[],
  rows: number,
): Promise<void> =>
  expectPages({
    api,
    operation,
    field: 'invoices',
    body,
    identity: ({ svcNumber }) => String(svcNumber),
    rows,
    expected,
    lasting: true,
  })
