import type { IntSource } from '../random.ts'
import { padded } from './padded.ts'

/** The tax number of ten digits: form, check digit, and numbers for tests. */

const weights = [6, 5, 7, 2, 3, 4, 5, 6, 7]
const form = /^[1-9](?:\d[1-9]|[1-9]\d)\d{7}$/

/** Check digit of the first nine digits; 10 means that no such number exists. */
function nipCheckDigit(nineDigits: string): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(nineDigits[place]), 0) % 11
}

/** Whether a text has the form of a NIP, whatever its check digit. */
export const hasNipForm = (text: string): boolean => form.test(text)

/** Whether a text is a NIP with the right check digit. */
export const isNip = (text: string): boolean =>
  form.test(text) && nipCheckDigit(text) === Number(text[9])

/** The number with its check digit; where none exists, the ninth digit moves on. */
function completeNip(nine: string): string {
  const check = nipCheckDigit(nine)
  if (check < 10) return nine + String(check)
  // The last weight is 7: any other ninth digit changes the remainder.
  return completeNip(nine.slice(0, 8) + String((Number(nine[8]) + 1) % 10))
}

/** A NIP with the right check digit. */
export function drawNip(source: IntSource): string {
  // The form forbids a zero in front and two zeros after the first digit.
  const office = `${source.int(1, 9)}${padded(source.int(1, 99), 2)}`
  return completeNip(office + padded(source.int(0, 999_999), 6))
}

/** Another NIP with the same first six digits. */
export const nipLike = (nip: string, source: IntSource): string => {
  const other = completeNip(nip.slice(0, 6) + padded(source.int(0, 999), 3))
  return other === nip ? nipLike(nip, source) : other
}

/** A number with the same first digits that no check digit completes: its last one is 0, as if the remainder were. */
export const withoutCheckDigit = (nip: string): string => {
  const nines = Array.from({ length: 100 }, (_, last) => nip.slice(0, 7) + padded(last, 2))
  return `${nines.find((nine) => nipCheckDigit(nine) === 10)}0`
}

/** The same number with a wrong check digit, of the right form. */
export const withWrongCheckDigit = (nip: string): string =>
  nip.slice(0, 9) + String((Number(nip[9]) + 1) % 10)
