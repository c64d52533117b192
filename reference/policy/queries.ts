/** Decisions about searching: which invoices match a query, in which order, in which pages. */

import type { Instant } from '../base/instants.ts'
import type { Issued } from '../model/documents.ts'
import type { Roles } from '../model/roles.ts'

export type DateType = 'issue' | 'acquisition' | 'invoicing' | 'permanentStorage'
export type SubjectType = 'subject1' | 'subject2' | 'subject3' | 'subjectAuthorized'

/** The date of an invoice that a query is about: an instant, or a day for the date of issue. */
export const dateOf = (issued: Issued, dateType: DateType): Instant | string =>
  ({
    issue: issued.facts.issueDate,
    acquisition: issued.acquiredAt,
    invoicing: issued.invoicingAt,
    permanentStorage: issued.storedAt ?? Infinity,
  })[dateType]

export const queriesPolicy = {
  // queries.metadata.subject-type
  hasRole: (roles: Roles, subjectType: SubjectType): boolean =>
    ({
      subject1: roles.seller,
      subject2: roles.buyer,
      subject3: roles.third,
      subjectAuthorized: roles.authorized,
    })[subjectType],
  // queries.metadata.date-type: the date that the range applies to
  rangeDate: dateOf,
  // queries.metadata.date-type: days for the date of issue, instants for the others; both ends inclusive
  dateInRange: <T extends string | Instant>(at: T, from: T, to: T): boolean =>
    from <= at && at <= to,
  // queries.metadata.date-bounds
  rangeForwards: (from: Instant, to: Instant): boolean => from <= to,
  // queries.metadata.date-bounds
  rangeNarrowEnough: (to: Instant, latest: Instant): boolean => to <= latest,
  // queries.metadata.paging: all that is stored up to here is complete, nothing older can come
  highWaterMark: (now: Instant): Instant => now - 1,
  // queries.metadata.paging: all pages of a query have the mark of the first; a mark from the future predates a reset
  pageKeepsMark: (pageOffset: number, first: Instant, fresh: Instant): boolean =>
    pageOffset > 0 && first <= fresh,
  // queries.metadata.paging
  metadataPage: <T>(found: readonly T[], offset: number, size: number): readonly T[] =>
    found.slice(offset * size, (offset + 1) * size),
  // queries.metadata.paging
  moreToCome: (found: number, offset: number, size: number): boolean => found > (offset + 1) * size,
  // queries.metadata.paging: in the order of the date that was asked for
  orderDate: dateOf,
}
