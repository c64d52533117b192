import { hasNipForm } from './nip.ts'
import type { IntSource } from '../random.ts'
import { padded } from './padded.ts'

/** The identifier of a unit below a taxpayer: the NIP, a dash, four digits and a check digit. */

/** Check digit over the ten digits of the NIP and the four of the unit. */
function internalIdCheckDigit(nip: string, unit: string): number {
  return (
    Array.from(nip + unit).reduce(
      (sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3),
      0,
    ) % 10
  )
}

/** The identifier of a unit, `unit` being its four digits. */
export const internalId = (nip: string, unit: string): string =>
  `${nip}-${unit}${internalIdCheckDigit(nip, unit)}`

/** Whether a text is such an identifier with the right check digit. */
export function isInternalId(text: string): boolean {
  const [nip, tail] = text.split('-')
  if (nip === undefined || tail === undefined || !hasNipForm(nip) || !/^\d{5}$/.test(tail)) {
    return false
  }
  return internalId(nip, tail.slice(0, 4)) === text
}

/** The identifier of a unit of a taxpayer. */
export const drawInternalId = (source: IntSource, nip: string): string =>
  internalId(nip, padded(source.int(0, 9999), 4))
