import type { Dialect } from '../../../contract/dialect.ts'
import { oneWay } from '../run/habits.ts'

const day = 24 * 3600 * 1000

/** How many days before and after an instant the filters of most checks cover. */
const around = 20 * day

/** The roles in which a caller searches. */
export const subjectTypes = ['subject1', 'subject2', 'subject3', 'subjectAuthorized'] as const

export type SubjectType = (typeof subjectTypes)[number]
export type DateType = 'issue' | 'acquisition' | 'invoicing' | 'permanentStorage'

/** A kind of date that is an instant, not a day, which the target knows: where there is a choice, the first. */
export const instantKind = ({ schemas }: Dialect): 'acquisition' | 'invoicing' => {
  const known = schemas['QueryDateType']?.['enum']
  return Array.isArray(known) && !known.includes('acquisition') ? 'invoicing' : 'acquisition'
}

export interface Filters {
  readonly subjectType: SubjectType
  readonly dateRange: { readonly dateType: DateType; readonly from: string; readonly to?: string }
  readonly [more: string]: unknown
}

const utc = (instant: number): string => new Date(instant).toISOString()

/** The same instant as clocks two hours ahead of UTC show it. */
const inWarsaw = (instant: number): string => utc(instant + 2 * 3_600_000).replace('Z', '+02:00')

/** A filter over some weeks around an instant (Unix milliseconds), by default for what the caller issued. */
export const issuedAround = (
  instant: number,
  subjectType: SubjectType = 'subject1',
  dateType: DateType = 'issue',
): Filters => ({
  subjectType,
  dateRange: {
    dateType,
    from: oneWay([utc, inWarsaw])(instant - around),
    to: oneWay([utc, inWarsaw])(instant + around),
  },
})
