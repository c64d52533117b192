import type { Instant } from '../time/clock.ts'
import type { Service } from '../call/service.ts'
import { keyOf } from '../model/entities.ts'
import type { ContextIdentifier } from '../model/entities.ts'
import type { MetadataQuery } from './query.ts'

/**
 * High-water marks of the queries that callers page through: all pages of a query have that of the first. Source: gap
 * metadata-answer.
 */

/** Queries whose marks are remembered; the oldest go first. */
const most = 1_000

const remembered = new WeakMap<Service, Map<string, Instant>>()

const marksOf = (service: Service): Map<string, Instant> => {
  const known = remembered.get(service)
  if (known !== undefined) return known
  const made = new Map<string, Instant>()
  remembered.set(service, made)
  return made
}

/** The mark of a page: a first page takes it as it is now, later ones that of their first page. */
export const markOfPage = (
  service: Service,
  context: ContextIdentifier,
  query: MetadataQuery,
  pageOffset: number,
): Instant => {
  const { policy, clock } = service
  const fresh = policy.highWaterMark(clock.now())
  const marks = marksOf(service)
  const key = `${keyOf(context)} ${JSON.stringify(query)}`
  // One from the future is of a time before a reset.
  const first = marks.get(key)
  if (pageOffset > 0 && first !== undefined && first <= fresh)
    return policy.markOfLaterPage(first, fresh)
  marks.delete(key)
  marks.set(key, fresh)
  if (marks.size > most) marks.delete(marks.keys().next().value!)
  return fresh
}
