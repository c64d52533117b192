import type { Element } from '../schema/document.ts'

/** Days as ISO dates, moved in UTC, so that no zone of the machine matters. */

const day = 86_400_000

/** The date some days later; before, when negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * day).toISOString().slice(0, 10)
}

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
