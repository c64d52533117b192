import type { Element } from '../schema/document.ts'
import { serialize } from '../schema/serialize.ts'
import { NoSuchPlaceError } from './edit.ts'
import type { Maker, Malformed } from './invoices.ts'
import { malform } from './invoices.ts'

/** What is wrong with a document, each fault once: the schema, and whatever its parts say about each other. */
export type FindFaults = (bytes: Uint8Array) => readonly { readonly rule: string }[]

/** A valid invoice to put the fault into, and the seed of its choices. */
export interface Candidate {
  readonly document: Element
  readonly seed: number
}

/** Bytes that are searched for faults before the best document so far is taken. */
const maxSearched = 4_000_000

/** The candidate with the fault; undefined where it has no place for it. */
function tried(entry: Maker, { document, seed }: Candidate): Malformed | undefined {
  try {
    return malform(entry, document, seed)
  } catch (error) {
    if (error instanceof NoSuchPlaceError) return undefined
    throw error
  }
}

/**
 * Puts a fault into the first candidate that has no fault before and one afterwards. A broken amount that others
 * depend on would be a second fault, so such a candidate is skipped; if all are skipped, the best one is taken.
 */
export function withOneFault<C extends Candidate>(
  entry: Maker & { readonly id: string },
  candidates: Iterable<C>,
  findFaults: FindFaults,
): { readonly candidate: C; readonly malformed: Malformed } {
  let best: { candidate: C; malformed: Malformed; faults: number } | undefined
  let searched = 0
  for (const candidate of candidates) {
    const malformed = tried(entry, candidate)
    if (malformed === undefined) continue
    const faults =
      2 * findFaults(serialize(malformed.before)).length + findFaults(malformed.bytes).length
    if (best === undefined || faults < best.faults) best = { candidate, malformed, faults }
    searched += malformed.bytes.length
    if (faults <= 1 || searched > maxSearched) break
  }
  if (best === undefined) throw new RangeError(`${entry.id}: there is no invoice to put it into`)
  return best
}
