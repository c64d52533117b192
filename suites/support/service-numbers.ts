import type { Rng } from '../../lib/random.ts'
import { serviceNumberCheckSum } from '../../lib/identifiers/service-number.ts'

/** A service number of the right form and check sum that no service gave. `day` is an ISO date. */
export const unissuedNumber = (rng: Rng, nip: string, day: string): string => {
  const technical = Array.from({ length: 12 }, () => rng.int(0, 15).toString(16).toUpperCase())
  const body = `${nip}-${day.replaceAll('-', '')}-${technical.join('')}`
  return `${body}-${serviceNumberCheckSum(body)}`
}
