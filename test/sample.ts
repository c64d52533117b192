import { randomInt } from 'node:crypto'
import process from 'node:process'
import { createRng } from '../lib/random.ts'

/**
 * How thoroughly a test tries what would take minutes. `npm test` tries a sample, under a new seed each time, which it
 * prints; `npm test -- --exhaustive` tries everything. `ASSAY_SAMPLE=SEED` repeats a sample. `scripts/slow-tests.mjs`
 * decides which of the slow tests run at all.
 */
export const exhaustive = process.env['ASSAY_EXHAUSTIVE'] === '1'

// Of the run: its workers inherit it and draw the same.
process.env['ASSAY_SAMPLE'] ??= String(randomInt(1, 2 ** 31))

/** Seed of the sample. */
export const sampleSeed = Number(process.env['ASSAY_SAMPLE'])

/** What to set for the same sample again, for a message. */
export const sampleNote = exhaustive ? 'exhaustive' : `ASSAY_SAMPLE=${sampleSeed}`

/** About one in `of` of this many trials; all of them in an exhaustive run. */
export const sampleSize = (all: number, of: number): number =>
  exhaustive ? all : Math.ceil(all / of)

/** About one in `of` of the items, at least one, drawn from the seed and a name; all of them in an exhaustive run. */
export function* sampled<T>(items: Iterable<T>, of: number, name: string): Generator<T> {
  const rng = createRng(`sample ${sampleSeed} ${name}`)
  let drawn = 0
  for (const item of items) {
    // The first stays in, so that no sample is empty.
    if (!exhaustive && drawn++ > 0 && rng.int(1, of) > 1) continue
    yield item
  }
}
