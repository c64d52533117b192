import { isoDay } from '../../../lib/local-time.ts'
import type { CheckClock } from '../service/check-clock.ts'

/** Midnights by the calendars that a service may count days in. */

export const calendars = ['Warsaw', 'UTC'] as const
type Calendar = (typeof calendars)[number]

const minute = 60_000
const hour = 60 * minute

const dayOf = (at: number, calendar: Calendar): string =>
  calendar === 'Warsaw' ? isoDay(at) : new Date(at).toISOString().slice(0, 10)

/** The next beginning of a day, Unix milliseconds. */
export const midnightAfter = (now: number, calendar: Calendar): number => {
  let midnight = Math.ceil((now + 1) / hour) * hour
  while (dayOf(midnight - 1, calendar) === dayOf(midnight, calendar)) midnight += hour
  return midnight
}

/**
 * Sets a clock to minutes before a midnight that is at least an hour away.
 * @returns sets it to two minutes after that, or two minutes on if it is later already
 */
export const beforeMidnight = async (
  clock: Pick<CheckClock, 'now' | 'set'>,
  calendar: Calendar,
  minutes: number,
): Promise<() => Promise<void>> => {
  const midnight = midnightAfter(clock.now() + hour, calendar)
  await clock.set(midnight - minutes * minute)
  return () => clock.set(Math.max(midnight, clock.now()) + 2 * minute)
}
