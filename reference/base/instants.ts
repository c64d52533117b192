/** Whole Unix milliseconds: links and tokens carry instants as whole numbers. */
export type Instant = number

/** Which instants the clock may be set to, and how they are read. */

/** Certificates, ten years of uniqueness and signed links are all possible between these. */
const earliest = Date.UTC(2000, 0, 1)
const latest = Date.UTC(2200, 0, 1)

const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/

/** What is expected of an instant, for messages. */
export const instantExpected =
  'an instant between 2000 and 2199 such as 2026-06-15T08:00:00Z (with its offset), or whole Unix milliseconds'

/**
 * Unix milliseconds of an instant with its offset (`2026-06-15T10:00:00+02:00`) or of a day's beginning in UTC
 * (`2026-06-15`); what is finer than a millisecond is cut off. Undefined for anything else.
 */
export const parseInstant = (text: string): Instant | undefined => {
  const instant = form.test(text) ? Date.parse(text) : Number.NaN
  if (!isInstant(instant)) return undefined
  // The 30th of February is read as a day in March.
  const day = Date.parse(text.slice(0, 10))
  return new Date(day).toISOString().startsWith(text.slice(0, 10)) ? instant : undefined
}

/** Whether a number is an instant that the clock may be set to: whole Unix milliseconds within its range. */
export const isInstant = (value: number): boolean =>
  Number.isInteger(value) && value >= earliest && value < latest

/**
 * The given instant, if the clock may be set to it.
 * @param what names it in the message
 * @throws {RangeError} what, expected, received
 */
export const asInstant = (what: string, value: number): Instant => {
  if (isInstant(value)) return value
  throw new RangeError(`${what}: expected ${instantExpected}, received ${value}`)
}
