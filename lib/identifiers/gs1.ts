import type { IntSource } from '../random.ts'
import { padded } from './padded.ts'

/** Thirteen digits of GS1 under the Polish prefix (a GTIN or a GLN), the last one a check digit. */
export function drawGs1(source: IntSource): string {
  const twelve = `590${padded(source.int(0, 999_999_999), 9)}`
  let sum = 0
  for (let i = 0; i < 12; i++) sum += Number(twelve[i]) * (i % 2 === 0 ? 1 : 3)
  return twelve + String((10 - (sum % 10)) % 10)
}
