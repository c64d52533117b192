import { crc8Hex } from '../../lib/identifiers/crc8.ts'
import { internalId as internalIdOf } from '../../lib/identifiers/internal-id.ts'
import { nipCheckDigit } from '../../lib/identifiers/nip.ts'
import { peselCheckDigit } from '../../lib/identifiers/pesel.ts'
import type { Draw } from '../draw.ts'
import { drawn } from '../draw.ts'

/** Identifiers with check digits. Each `draw…` makes one from choices; the arbitraries stand at the end. */

const digits = (value: number | bigint, count: number) => String(value).padStart(count, '0')

/** The number with its check digit; where none exists, the last digit before it is moved on. */
function completeNip(nine: string): string {
  const check = nipCheckDigit(nine)
  if (check < 10) return nine + String(check)
  // The last weight is 7: any other last digit changes the remainder.
  return completeNip(nine.slice(0, 8) + String((Number(nine[8]) + 1) % 10))
}

/** A NIP with a right check digit. */
export function drawNip(draw: Draw): string {
  // The schema forbids a zero in front and two zeros after the first digit.
  const office = `${draw.int(1, 9)}${digits(draw.int(1, 99), 2)}`
  return completeNip(office + digits(draw.int(0, 999_999), 6))
}

/** A PESEL: date of birth (1900 to 2099), serial number, check digit. */
export function drawPesel(draw: Draw): string {
  const year = draw.int(1900, 2099)
  const month = draw.int(1, 12) + (year >= 2000 ? 20 : 0)
  const ten =
    digits(year % 100, 2) +
    digits(month, 2) +
    digits(draw.int(1, 28), 2) +
    digits(draw.int(0, 9999), 4)
  return ten + String(peselCheckDigit(ten))
}

/** An internal identifier of a sub-unit: NIP, dash, four digits and their check digit. */
export function drawInternalId(draw: Draw, nip = drawNip(draw)): string {
  return internalIdOf(nip, digits(draw.int(0, 9999), 4))
}

/** Remainder of a long decimal number divided by 97. */
function mod97(text: string): number {
  let rest = 0
  for (let i = 0; i < text.length; i++) rest = (rest * 10 + text.charCodeAt(i) - 48) % 97
  return rest
}

/** A Polish account number: 26 digits, the first two check the rest (ISO 13616, country PL). */
export function drawAccount(draw: Draw): string {
  const bank = String(draw.int(10_000_000, 99_999_999))
  const own = digits(draw.big(0n, 9_999_999_999_999_999n), 16)
  return digits(98 - mod97(`${bank}${own}252100`), 2) + bank + own
}

/** 26 digits whose first two agree with the rest. */
export function isAccount(text: string): boolean {
  return /^\d{26}$/.test(text) && mod97(`${text.slice(2)}2521${text.slice(0, 2)}`) === 1
}

/** A REGON of nine digits: weights 8 9 2 3 4 5 6 7, remainder of 11, of which 10 counts as 0. */
export function drawRegon(draw: Draw): string {
  const eight = digits(draw.int(1_000_000, 99_999_999), 8)
  const weights = [8, 9, 2, 3, 4, 5, 6, 7]
  const sum = weights.reduce((total, weight, i) => total + weight * Number(eight[i]), 0)
  return eight + String((sum % 11) % 10)
}

/** Thirteen digits of GS1 under the Polish prefix: a GTIN or a GLN, weights 1 and 3 in turn, up to the next ten. */
export function drawGs1(draw: Draw): string {
  const twelve = `590${digits(draw.int(0, 999_999_999), 9)}`
  let sum = 0
  for (let i = 0; i < 12; i++) sum += Number(twelve[i]) * (i % 2 === 0 ? 1 : 3)
  return twelve + String((10 - (sum % 10)) % 10)
}

const hex6 = (draw: Draw) => draw.int(0, 0xffffff).toString(16).toUpperCase().padStart(6, '0')

/** The number that the service gives an invoice: NIP, date, 12 hexadecimal digits, CRC-8; 35 characters. */
export function drawServiceNumber(draw: Draw, nip: string, date: string): string {
  const body = `${nip}-${date.replaceAll('-', '')}-${hex6(draw)}${hex6(draw)}`
  return `${body}-${crc8Hex(body)}`
}

export const nip = drawn(drawNip)
export const pesel = drawn(drawPesel)
export const internalId = drawn((draw) => drawInternalId(draw))
export const account = drawn(drawAccount)
