import type { Instant } from '../base/instants.ts'
import type { Service } from '../call/service.ts'
import { keyOf } from '../model/entities.ts'
import type { ContextIdentifier } from '../model/entities.ts'
import type { MetadataQuery } from './query.ts'

/**
 * High-water marks of the queries that callers page through: all pages of a query have that of the first. Source: gap
 * metadata-answer.
 */

/** Maximum number of queries whose marks are remembered; the oldest are dropped first. */
const maxRemembered = 1_000

const remembered = new WeakMap<Service['clock'], Map<string, Instant>>()

const marksOf = ({ clock }: Service): Map<string, Instant> => {
  const known = remembered.get(clock)
  if (known !== undefined) return known
  const made = new Map<string, Instant>()
  remembered.set(clock, made)
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
  const first = marks.get(key)
  if (first !== undefined && policy.pageKeepsMark(pageOffset, first, fresh)) return first
  marks.delete(key)
  marks.set(key, fresh)
  if (marks.size > maxRemembered) marks.delete(marks.keys().next().value!)
  return fresh
}
