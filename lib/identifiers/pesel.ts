import type { IntSource } from '../random.ts'
import { padded } from './padded.ts'

/** The personal number of eleven digits: form, check digit, and numbers for tests. */

const weights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]
const form = /^\d{2}(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|4[1-9]|5[0-2]|6[1-9]|7[0-2]|8[1-9]|9[0-2])\d{7}$/

/** Check digit of the first ten digits. */
function peselCheckDigit(tenDigits: string): number {
  const sum = weights.reduce((total, weight, place) => total + weight * Number(tenDigits[place]), 0)
  return (10 - (sum % 10)) % 10
}

/** Whether a text is a PESEL with the right check digit. */
export const isPesel = (text: string): boolean =>
  form.test(text) && peselCheckDigit(text) === Number(text[10])

/** A PESEL of a person born from 1950 to 1999, with the right check digit. */
export function drawPesel(source: IntSource): string {
  const born = [source.int(50, 99), source.int(1, 12), source.int(1, 28)]
  const ten = born.map((part) => padded(part, 2)).join('') + padded(source.int(0, 9999), 4)
  return ten + String(peselCheckDigit(ten))
}
