import { isoDay } from '../../lib/local-time.ts'

/** Midnights by the calendars that a service may count days in. */

export const calendars = ['Warsaw', 'UTC'] as const
type Calendar = (typeof calendars)[number]

const hour = 3_600_000

const dayOf = (at: number, calendar: Calendar): string =>
  calendar === 'Warsaw' ? isoDay(at) : new Date(at).toISOString().slice(0, 10)

/** The next beginning of a day, Unix milliseconds. */
export const midnightAfter = (now: number, calendar: Calendar): number => {
  let midnight = Math.ceil((now + 1) / hour) * hour
  while (dayOf(midnight - 1, calendar) === dayOf(midnight, calendar)) midnight += hour
  return midnight
}
