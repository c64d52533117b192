import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import { Inconclusive, expectObject } from '../../lib/outcome.ts'

/** Reads lists page by page, by page number or by continuation token. */

/** A row of a list. */
export type Row = Readonly<Record<string, unknown>>

/** More pages than any list of a check has. */
const maxPages = 50

const rowsOf = (body: Row, field: string, step: string): readonly Row[] => {
  const rows = body[field]
  if (!Array.isArray(rows)) throw new Inconclusive(step, `a list \`${field}\``)
  return rows as readonly Row[]
}

/**
 * The pages of a list that goes on by a continuation token.
 * @param query filters and `pageSize`
 * @throws {Inconclusive} when a page is refused, or there is no end of them
 */
export const pagesByToken = async (
  api: Client,
  operation: OperationId,
  field: string,
  query: NonNullable<CallOptions['query']>,
  more: Pick<CallOptions, 'path' | 'body'> = {},
): Promise<readonly (readonly Row[])[]> => {
  const step = `list by ${operation}`
  const pages: (readonly Row[])[] = []
  let token: string | undefined
  while (pages.length < maxPages) {
    const headers = token === undefined ? {} : { 'x-continuation-token': token }
    const body = expectObject(await api.call(operation, { ...more, query, headers }), step)
    pages.push(rowsOf(body, field, step))
    const { continuationToken: next } = body
    if (typeof next !== 'string' || next === '') return pages
    token = next
  }
  throw new Inconclusive(step, 'a last page')
}

/**
 * The pages of a list that goes on by the number of the page.
 * @throws {Inconclusive} when a page is refused, or there is no end of them
 */
export const pagesByNumber = async (
  api: Client,
  operation: OperationId,
  field: string,
  { body, pageSize }: { readonly body?: unknown; readonly pageSize: number },
): Promise<readonly (readonly Row[])[]> => {
  const step = `list by ${operation}`
  const pages: (readonly Row[])[] = []
  while (pages.length < maxPages) {
    const query = { pageSize, pageOffset: pages.length }
    const answer = await api.call(operation, { query, ...(body === undefined ? {} : { body }) })
    const found = expectObject(answer, step)
    pages.push(rowsOf(found, field, step))
    if (found['hasMore'] !== true) return pages
  }
  throw new Inconclusive(step, 'a last page')
}
