import { zone } from '../contract/environments.ts'

/** Days and times of day in Warsaw, where the service lives. */

// Made once: to make a formatter takes longer than to format.
const days = new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
const times = new Intl.DateTimeFormat('sv-SE', {
  timeZone: zone,
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** The ISO date of an instant (Unix ms) in Warsaw. */
export const isoDay = (instant: number): string => days.format(instant)

/** An instant (Unix ms) as the clocks of Warsaw show it, `2026-06-15T14:30:00`, without an offset. */
export const localTime = (instant: number): string => times.format(instant).replace(' ', 'T')
