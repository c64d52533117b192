import type { IntSource } from '../random.ts'
import { padded } from './padded.ts'

const weights = [8, 9, 2, 3, 4, 5, 6, 7]

/** A REGON of nine digits; a remainder of 10 gives the check digit 0. */
export function drawRegon(source: IntSource): string {
  const eight = padded(source.int(1_000_000, 99_999_999), 8)
  const sum = weights.reduce((total, weight, i) => total + weight * Number(eight[i]), 0)
  return eight + String((sum % 11) % 10)
}
