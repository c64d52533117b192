import type { Element } from '../schema/document.ts'

/** Days as ISO dates, moved in UTC, so that no zone of the machine matters. */

const day = 86_400_000

/** The date some days later; before, when negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)
}

/** Public holidays: the same each year, and those that move with Easter. */
const holidays: ReadonlySet<string> = new Set([
  '01-01',
  '01-06',
  '05-01',
  '05-03',
  '08-15',
  '11-01',
  '11-11',
  '12-24',
  '12-25',
  '12-26',
  '2025-04-21',
  '2025-06-19',
  '2026-04-06',
  '2026-06-04',
  '2027-03-29',
  '2027-05-27',
])

function isFree(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6 || holidays.has(date) || holidays.has(date.slice(5))
}

/** The date, or the last working day before it. */
export const workday = (date: string): string => (isFree(date) ? workday(addDays(date, -1)) : date)

/** The date, or the first working day after it. */
export const workdayAfter = (date: string): string =>
  isFree(date) ? workdayAfter(addDays(date, 1)) : date

/** Whether a text is the ISO date of a day that exists. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  new Date(Date.parse(`${text}T00:00:00Z`) || 0).toISOString().startsWith(text)

/** Elements with a day on which something was supplied, paid, or invoiced before. */
const happened: ReadonlySet<string> = new Set([
  'P_6',
  'P_6_Od',
  'P_6A',
  'P_6Z',
  'DataWystFaKorygowanej',
])

/** The first day on which anything of an invoice happened. */
export function firstDay(issueDate: string, elements: readonly Element[]): string {
  const days = elements.map(({ name, content }) =>
    typeof content !== 'string'
      ? firstDay(issueDate, content)
      : happened.has(name)
        ? content
        : issueDate,
  )
  return days.reduce((first, each) => (each < first ? each : first), issueDate)
}
