import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { Exchange } from '../../lib/exchange.ts'
import { expect } from './matchers.ts'
import { pagesByNumber, pagesByToken } from './paged-lists.ts'
import type { Row } from './paged-lists.ts'
import { fields } from './steps.ts'

/** Expects of a list that its rows come in pages of every size that is asked for. */

export interface Listed {
  readonly api: Client
  readonly operation: OperationId
  /** The field of the rows. */
  readonly field: string
  readonly body?: unknown
  readonly query?: Readonly<Record<string, string>>
  readonly identity: (row: Row) => string
  readonly rows: number
  /** What identifies the rows, where that is known beforehand. */
  readonly expected?: readonly string[]
}

/** Lengths of the pages of so many rows. */
export const lengths = (rows: number, pageSize: number): number[] =>
  Array.from({ length: Math.ceil(rows / pageSize) }, (_, page) =>
    Math.min(pageSize, rows - page * pageSize),
  )

const isByNumber = (operation: OperationId): boolean =>
  operation.startsWith('queries.') ||
  operation.startsWith('permissions.') ||
  operation.startsWith('certificates.')

const pagesOf = ({ api, operation, field, body, query }: Listed, pageSize: number) =>
  isByNumber(operation)
    ? pagesByNumber(api, operation, field, { body, pageSize })
    : pagesByToken(api, operation, field, { ...query, pageSize })

/** The first page, and what follows it: both answered, with different rows. */
const expectNext = async (
  { api, operation, field, body, query, identity }: Listed,
  pageSize: number,
): Promise<void> => {
  const look = (
    more: Readonly<Record<string, number>>,
    headers: Readonly<Record<string, string>>,
  ) =>
    api.call(operation, {
      query: { ...query, pageSize, ...more },
      headers,
      ...(body === undefined ? {} : { body }),
    })
  const rowsOf = (answer: Exchange) =>
    ((fields(answer)[field] ?? []) as readonly Row[]).map((row) => identity(row))
  const first = await look({}, {})
  expect(first, 'the first page').toBeOk()
  const second = isByNumber(operation)
    ? await look({ pageOffset: 1 }, {})
    : await look({}, { 'x-continuation-token': String(fields(first)['continuationToken']) })
  expect(second, 'the second page').toBeOk()
  const again = rowsOf(second).filter((row) => rowsOf(first).includes(row))
  expect(again, 'rows of the first page on the second one').toEqual([])
}

/** More rows than two pages of the smallest size: three pages, one that is full, and a last one with a single row. */
export const many = 21

export const expectPages = async (listed: Listed): Promise<void> => {
  const { rows, identity, expected } = listed
  let whole: readonly string[] | undefined
  await expectNext(listed, 10)
  for (const pageSize of [rows, rows - 1, 15, 10]) {
    const pages = await pagesOf(listed, pageSize)
    const size = `in pages of ${pageSize}`
    expect(
      pages.map(({ length }) => length),
      `rows on each page, ${size}`,
    ).toEqual(lengths(rows, pageSize))
    const found = pages.flat().map(identity)
    expect(new Set(found).size, `rows that differ, ${size}`).toBe(rows)
    if (expected !== undefined)
      expect(found.toSorted(), `rows, ${size}`).toEqual(expected.toSorted())
    whole ??= found.toSorted()
    expect(found.toSorted(), `the same rows, ${size}`).toEqual(whole)
  }
}
