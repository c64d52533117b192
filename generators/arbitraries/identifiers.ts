import type { Draw } from '../draw.ts'
import { drawn } from '../draw.ts'

/** Identifiers with check digits. Each `draw…` makes one from choices; the arbitraries stand at the end. */

const nipWeights = [6, 5, 7, 2, 3, 4, 5, 6, 7]
const peselWeights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]

function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * (digits.charCodeAt(i) - 48)
  return sum
}

/** The check digit of nine digits of a NIP; 10 means that no NIP has them. */
export function nipCheckDigit(nine: string): number {
  return weighted(nine, nipWeights) % 11
}

/** Ten digits, the tenth agrees, none of the first three is zero where the schema forbids it. */
export function isNip(text: string): boolean {
  return (
    /^[1-9](?:[0-9][1-9]|[1-9][0-9])[0-9]{7}$/.test(text) &&
    nipCheckDigit(text) === text.charCodeAt(9) - 48
  )
}

/** The number with its check digit; where none exists, the last digit before it is moved on. */
function completeNip(nine: string): string {
  const check = nipCheckDigit(nine)
  if (check < 10) return nine + check
  // The last weight is 7: any other last digit changes the remainder.
  const last = (nine.charCodeAt(8) - 48 + 1) % 10
  return completeNip(nine.slice(0, 8) + last)
}

/** A NIP with a right check digit. */
export function drawNip(draw: Draw): string {
  // The schema forbids a zero in front and two zeros after the first digit.
  const office = `${draw.int(1, 9)}${String(draw.int(1, 99)).padStart(2, '0')}`
  return completeNip(office + String(draw.int(0, 999_999)).padStart(6, '0'))
}

/** A NIP of the same first nine digits whose check digit is wrong. */
export function wrongNip(nip: string): string {
  return nip.slice(0, 9) + ((nip.charCodeAt(9) - 48 + 1) % 10)
}

/** A PESEL: date of birth (1900 to 2099), serial number, check digit. */
export function drawPesel(draw: Draw): string {
  const year = draw.int(1900, 2099)
  const month = draw.int(1, 12) + (year >= 2000 ? 20 : 0)
  const ten =
    String(year % 100).padStart(2, '0') +
    String(month).padStart(2, '0') +
    String(draw.int(1, 28)).padStart(2, '0') +
    String(draw.int(0, 9999)).padStart(4, '0')
  return ten + ((10 - (weighted(ten, peselWeights) % 10)) % 10)
}

/** Eleven digits, the eleventh agrees. */
export function isPesel(text: string): boolean {
  return (
    /^\d{11}$/.test(text) &&
    (10 - (weighted(text, peselWeights) % 10)) % 10 === text.charCodeAt(10) - 48
  )
}

/** The check digit of an internal identifier: weights 1 and 3 in turn over the NIP and four digits. */
export function internalIdCheckDigit(fourteen: string): number {
  let sum = 0
  for (let i = 0; i < fourteen.length; i++) {
    sum += (fourteen.charCodeAt(i) - 48) * (i % 2 === 0 ? 1 : 3)
  }
  return sum % 10
}

/** An internal identifier of a sub-unit: NIP, dash, four digits and their check digit. */
export function drawInternalId(draw: Draw, nip = drawNip(draw)): string {
  const four = String(draw.int(0, 9999)).padStart(4, '0')
  return `${nip}-${four}${internalIdCheckDigit(nip + four)}`
}

/** Remainder of a long decimal number divided by 97. */
function mod97(digits: string): number {
  let rest = 0
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digits.charCodeAt(i) - 48) % 97
  return rest
}

/** A Polish account number: 26 digits, the first two check the rest (ISO 13616, country PL). */
export function drawAccount(draw: Draw): string {
  const bank = String(draw.int(10_000_000, 99_999_999))
  const account = String(draw.big(0n, 9_999_999_999_999_999n)).padStart(16, '0')
  const check = 98 - mod97(`${bank}${account}252100`)
  return String(check).padStart(2, '0') + bank + account
}

/** 26 digits whose first two agree with the rest. */
export function isAccount(text: string): boolean {
  return /^\d{26}$/.test(text) && mod97(`${text.slice(2)}2521${text.slice(0, 2)}`) === 1
}

/** CRC-8 (polynomial 0x07, start 0) of ASCII text. */
export function crc8(text: string): number {
  let crc = 0
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc
}

const hex = (value: number, digits: number) =>
  value.toString(16).toUpperCase().padStart(digits, '0')

/** The number that the service gives an invoice: NIP, date, 12 hexadecimal digits, CRC-8; 35 characters. */
export function drawServiceNumber(draw: Draw, nip: string, date: string): string {
  const body = `${nip}-${date.replaceAll('-', '')}-${hex(draw.int(0, 0xffffff), 6)}${hex(draw.int(0, 0xffffff), 6)}`
  return `${body}-${hex(crc8(body), 2)}`
}

/** 35 characters whose last two agree with the rest. */
export function isServiceNumber(text: string): boolean {
  return (
    /^\d{10}-\d{8}-[0-9A-F]{12}-[0-9A-F]{2}$/.test(text) &&
    text.slice(33) === hex(crc8(text.slice(0, 32)), 2)
  )
}

export const nip = drawn(drawNip)
export const pesel = drawn(drawPesel)
export const internalId = drawn((draw) => drawInternalId(draw))
export const account = drawn(drawAccount)
