import type { LinkMaker } from './links.ts'
import { linkUntil, signLink } from './links.ts'
import { refuse } from '../base/refusals.ts'

/**
 * Paging. A continuation token holds the place of the last item shown and is sealed by the service, so that what
 * arrives meanwhile shifts nothing and no caller can make one. Source: gap paging.
 */

export interface PageRequest<T> {
  /** What is listed, for whom: a token of another list is not valid for this one. */
  readonly scope: string
  readonly size: number
  /** As the caller sent it. */
  readonly token: string | undefined
  /** Where an item stands in the order of the list. */
  readonly place: (item: T) => string
  /** Whether an item stands after a place. */
  readonly after: (item: T, place: string) => boolean
}

const forever = 8.64e15

/**
 * One page of a sorted list.
 * @throws refusal continuation-token-malformed
 */
export const page = <T>(
  maker: LinkMaker,
  all: readonly T[],
  request: PageRequest<T>,
): { items: readonly T[]; continuationToken: string | null } => {
  const { scope, size, token, place, after } = request
  const from = token === undefined || token === '' ? undefined : placeOf(maker, scope, token)
  const rest = from === undefined ? all : all.filter((item) => after(item, from))
  const items = rest.slice(0, size)
  const last = items.at(-1)
  if (last === undefined || rest.length <= size) return { items, continuationToken: null }
  const at = place(last)
  const seal = signLink(maker, 'page', `${scope}\n${at}`, forever)
  return { items, continuationToken: Buffer.from(JSON.stringify([at, seal])).toString('base64') }
}

const placeOf = (maker: LinkMaker, scope: string, token: string): string => {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
  } catch {
    throw refuse('continuation-token-malformed')
  }
  const [at, seal] = Array.isArray(parts) ? (parts as unknown[]) : []
  if (
    typeof at !== 'string' ||
    typeof seal !== 'string' ||
    linkUntil(maker, 'page', `${scope}\n${at}`, seal) === undefined
  ) {
    throw refuse('continuation-token-malformed')
  }
  return at
}

/** One page by its number, from 0. */
export const pageByNumber = <T>(
  call: { readonly query: Readonly<Record<string, unknown>> },
  all: readonly T[],
): { items: readonly T[]; hasMore: boolean } => {
  const size = Number(call.query['pageSize'] ?? 10)
  const from = Number(call.query['pageOffset'] ?? 0) * size
  return { items: all.slice(from, from + size), hasMore: from + size < all.length }
}
