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
