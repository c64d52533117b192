/** Decisions about searching: which invoices a question finds, in which order, in which pages. */

import type { Instant } from '../time/clock.ts'
import type { Roles } from '../model/roles.ts'

export type DateType = 'issue' | 'acquisition' | 'invoicing' | 'permanentStorage'
export type SubjectType = 'subject1' | 'subject2' | 'subject3' | 'subjectAuthorized'

export const queriesPolicy = {
  // queries.metadata.subject-type
  hasRole: (roles: Roles, subjectType: SubjectType): boolean =>
    ({
      subject1: roles.seller,
      subject2: roles.buyer,
      subject3: roles.third,
      subjectAuthorized: roles.authorized,
    })[subjectType],
  // queries.metadata.subject-type: an issuer finds its own by its number
  searchesByRole: (): boolean => true,
  // queries.metadata.date-type: days for the date of issue, instants for the others; both ends inclusive
  dateInRange: <T extends string | Instant>(at: T, from: T, to: T): boolean =>
    from <= at && at <= to,
  // queries.metadata.date-type
  dateUsed: (dateType: DateType): DateType => dateType,
  // queries.metadata.date-bounds
  rangeForwards: (from: Instant, to: Instant): boolean => from <= to,
  // queries.metadata.date-bounds
  rangeNarrowEnough: (to: Instant, latest: Instant): boolean => to <= latest,
  // queries.metadata.filters: every filter that is given must hold
  filterHolds: (holds: boolean): boolean => holds,
  // queries.metadata.filters: amounts to the hundredth
  shownAmount: (hundredths: bigint): number => Number(hundredths) / 100,
  // queries.metadata.paging: all that is stored up to here is complete, nothing older can come
  highWaterMark: (now: Instant): Instant => now - 1,
  // queries.metadata.paging: one mark for all pages of a query
  markOfLaterPage: (first: Instant, _now: Instant): Instant => first,
  // queries.metadata.paging
  metadataPage: <T>(found: readonly T[], offset: number, size: number): readonly T[] =>
    found.slice(offset * size, (offset + 1) * size),
  // queries.metadata.paging
  moreToCome: (found: number, offset: number, size: number): boolean => found > (offset + 1) * size,
  // queries.metadata.paging: in the order of the date that was asked for
  orderedBy: (asked: DateType): DateType => asked,
  // queries.metadata.described
  metadataShown: (view: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
    view,
  // queries.general.date-range
  generalRange: <T>(found: readonly T[]): readonly T[] => found,
}
