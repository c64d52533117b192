import { drawInternalId } from '../../../lib/identifiers/internal-id.ts'
import type { Rng } from '../../../lib/random.ts'

/** The identifiers that each source of draws has given. */
const given = new WeakMap<Rng, Set<string>>()

/** A unit of a taxpayer, never the same one twice: there are only ten thousand, so draws can repeat. */
export const drawUnit = (rng: Rng, nip: string) => {
  const before = given.get(rng) ?? new Set()
  given.set(rng, before)
  let value = drawInternalId(rng, nip)
  while (before.has(value)) value = drawInternalId(rng, nip)
  before.add(value)
  return { type: 'InternalId', value } as const
}
