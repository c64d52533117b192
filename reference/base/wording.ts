/** How instants and states are written in answers and receipts. */

import { zone } from '../../contract/environments.ts'
import { stateOf } from '../../contract/lifecycles.ts'
import type { Lifecycle } from '../../contract/types.ts'
import type { Instant } from './instants.ts'
import type { Status } from './refusals.ts'

const written = new Map<Instant, string>()

/** `2026-06-15T08:00:00.000Z`. */
export const utc = (instant: Instant): string => {
  // The same few instants are shown again and again.
  const known = written.get(instant)
  if (known !== undefined) return known
  const text = new Date(instant).toISOString()
  if (written.size > 1000) written.clear()
  written.set(instant, text)
  return text
}

/** The same where there is an instant, else null. */
export const utcOrNull = (instant: Instant | undefined): string | null =>
  instant === undefined ? null : utc(instant)

const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' })
const offsets = new Map<number, number>()

/** Minutes that Europe/Warsaw is ahead of UTC at an instant. */
export const warsawOffset = (instant: Instant): number => {
  // Changes of the clock fall on whole hours.
  const hour = Math.floor(instant / 3_600_000)
  const known = offsets.get(hour)
  if (known !== undefined) return known
  const name = parts.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
  if (offsets.size > 1000) offsets.clear()
  offsets.set(hour, offset)
  return offset
}

/** `2026-06-15T10:00:00.000+02:00`, in Europe/Warsaw. */
export const warsaw = (instant: Instant): string => {
  const offset = warsawOffset(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  const local = new Date(instant + offset * 60_000).toISOString().slice(0, -1)
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
}

/** The instant that a text names; without an offset it is read in Europe/Warsaw. Undefined where it is no instant. */
export const instantOf = (text: string): Instant | undefined => {
  const zoned = /(?:[zZ]|[+-]\d{2}:\d{2})$/.test(text)
  const at = Date.parse(zoned ? text : `${text}Z`)
  if (Number.isNaN(at)) return undefined
  if (zoned) return at
  const first = at - warsawOffset(at) * 60_000
  return at - warsawOffset(first) * 60_000
}

/** The status of work that is in progress or succeeded; failures come from the rows of refusals. */
export const reached = (
  lifecycle: Lifecycle,
  code: number,
  details: readonly string[] = [],
): Status => {
  const state = stateOf(lifecycle, code)
  if (state === undefined) throw new Error(`${lifecycle} has no state ${code}`)
  return { code, description: state.name, ...(details.length > 0 && { details }) }
}
