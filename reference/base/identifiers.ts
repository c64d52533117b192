import { createHash, randomBytes } from 'node:crypto'
import { zone } from '../../contract/environments.ts'
import type { Instant } from './instants.ts'

/** Numbers that the service gives out. Source: gap reference-numbers. */

type ReferenceKind = 'CR' | 'AU' | 'SO' | 'SB' | 'EE' | 'EU' | 'EH' | 'EC' | 'EG'

export interface Identifiers {
  /** `YYYYMMDD-TT-HHHHHHHHHH-HHHHHHHHHH-CC`, 36 characters, the last pair a CRC-8 of what precedes it. */
  reference(kind: ReferenceKind): string
  /** This number of random bytes, derived from the seed where one was given. */
  bytes(count: number): Uint8Array
  /** Random id in the form of a GUID. */
  uuid(): string
}

/** CRC-8: polynomial 0x07, initial value 0, no reflection, no final xor. Two upper-case hex digits. */
export const crc8 = (text: string): string => {
  let crc = 0
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc.toString(16).toUpperCase().padStart(2, '0')
}

const nipWeights = [6, 5, 7, 2, 3, 4, 5, 6, 7]

/** The check digit of a NIP by its other nine digits; 10 where no NIP begins with these. */
export const nipCheckDigit = (digits: readonly number[]): number =>
  nipWeights.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0) % 11

const day = new Intl.DateTimeFormat('en-CA', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const days = new Map<number, string>()

/** The day of an instant in the zone of the service, `YYYY-MM-DD`. */
export const dayOf = (instant: Instant): string => {
  // Days begin on whole hours there.
  const hour = Math.floor(instant / 3_600_000)
  const known = days.get(hour)
  if (known !== undefined) return known
  const text = day.format(instant)
  if (days.size > 1000) days.clear()
  days.set(hour, text)
  return text
}

/** Bytes that follow a seed, or random ones: drawn in advance, because each request to the system is slow. */
const createBytes = (seed: string | undefined): ((count: number) => Uint8Array) => {
  let drawn = 0
  let ahead = Buffer.alloc(0)
  const more = (): Buffer =>
    seed === undefined
      ? randomBytes(4096)
      : createHash('sha256').update(`${seed}:${drawn++}`).digest()
  return (count) => {
    while (ahead.length < count) ahead = Buffer.concat([ahead, more()])
    const taken = Uint8Array.prototype.slice.call(ahead, 0, count)
    ahead = ahead.subarray(count)
    return taken
  }
}

/** Source of numbers. With a seed the same calls give the same numbers, so that a failure can be replayed. */
export const createIdentifiers = (now: () => Instant, seed?: number): Identifiers => {
  // References are given when calls come, other numbers when work is done: each follows the seed by itself, so that
  // it does not matter which of the two happens first.
  const references = createBytes(seed === undefined ? undefined : `${seed}:reference`)
  const bytes = createBytes(seed === undefined ? undefined : `${seed}`)
  return {
    reference(kind) {
      const random = Buffer.from(references(10)).toString('hex').toUpperCase()
      const body = `${dayOf(now()).replaceAll('-', '')}-${kind}-${random.slice(0, 10)}-${random.slice(10)}`
      return `${body}-${crc8(body)}`
    },
    bytes,
    uuid() {
      const raw = Buffer.from(bytes(16))
      raw[6] = (raw[6]! & 0x0f) | 0x40
      raw[8] = (raw[8]! & 0x3f) | 0x80
      const text = raw.toString('hex')
      return [
        text.slice(0, 8),
        text.slice(8, 12),
        text.slice(12, 16),
        text.slice(16, 20),
        text.slice(20),
      ].join('-')
    },
  }
}
