import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { Inconclusive, expectObject } from '../../../lib/outcome.ts'

/** Reads lists page by page, by page number or by continuation token. */

/** A row of a list. */
export type Row = Readonly<Record<string, unknown>>

/** More pages than any list of a check has. */
const maxPages = 50

/** How a check reads a list if it judges the pages: a refused page or a surplus one is then no failed precondition. */
interface Judged {
  /** Sees each answer before it is read. */
  readonly look: (answer: Exchange) => void
  /** Reads no more than this many pages, whether or not the list goes on. */
  readonly upTo: number
}

const rowsOf = (body: Row, field: string, step: string): readonly Row[] => {
  const rows = body[field]
  if (!Array.isArray(rows)) throw new Inconclusive(step, `a list \`${field}\``)
  return rows as readonly Row[]
}

/**
 * The pages of a list that is continued with a continuation token.
 * @param query filters and `pageSize`
 * @throws {Inconclusive} when a page is refused or the pages do not end, unless the check judges that
 */
export const pagesByToken = async (
  api: Client,
  operation: OperationId,
  field: string,
  query: NonNullable<CallOptions['query']>,
  more: Pick<CallOptions, 'path' | 'body'> = {},
  judged?: Judged,
): Promise<readonly (readonly Row[])[]> => {
  const step = `list by ${operation}`
  const pages: (readonly Row[])[] = []
  let token: string | undefined
  while (pages.length < maxPages) {
    if (pages.length === judged?.upTo) return pages
    const headers = token === undefined ? {} : { 'x-continuation-token': token }
    const answer = await api.call(operation, { ...more, query, headers })
    judged?.look(answer)
    const body = expectObject(answer, step)
    pages.push(rowsOf(body, field, step))
    const { continuationToken: next } = body
    if (typeof next !== 'string' || next === '') return pages
    token = next
  }
  throw new Inconclusive(step, 'a last page')
}

/** The body of a call, where the operation takes one. */
export const bodyFor = (operation: OperationId, body: unknown): { readonly body?: unknown } =>
  body === undefined || endpoint(operation).request === undefined ? {} : { body }

/**
 * The pages of a list that is continued by page number.
 * @throws {Inconclusive} when a page is refused or the pages do not end, unless the check judges that
 */
export const pagesByNumber = async (
  api: Client,
  operation: OperationId,
  field: string,
  { body, pageSize }: { readonly body?: unknown; readonly pageSize: number },
  judged?: Judged,
): Promise<readonly (readonly Row[])[]> => {
  const step = `list by ${operation}`
  const pages: (readonly Row[])[] = []
  while (pages.length < maxPages) {
    if (pages.length === judged?.upTo) return pages
    const query = { pageSize, pageOffset: pages.length }
    const answer = await api.call(operation, { query, ...bodyFor(operation, body) })
    judged?.look(answer)
    const found = expectObject(answer, step)
    pages.push(rowsOf(found, field, step))
    if (found['hasMore'] !== true) return pages
  }
  throw new Inconclusive(step, 'a last page')
}

/**
 * The sessions of one kind that a caller finds, over all pages.
 * @param since Unix milliseconds: only those opened from then on, as a context that all checks share has hundreds
 */
export const sessionsOf = async (
  api: Client,
  sessionType: 'Online' | 'Batch',
  since: number,
): Promise<readonly Row[]> => {
  const dateCreatedFrom = new Date(since).toISOString()
  const query = { sessionType, pageSize: 100, dateCreatedFrom }
  return (await pagesByToken(api, 'sessions.list', 'sessions', query)).flat()
}
