import type { RuleId } from '../../contract/rules.ts'
import { rngFor } from '../../lib/random.ts'
import type { Rng } from '../../lib/random.ts'
import { runOptions } from './run-options.ts'

/** Calls at the same time. The order in which they start is drawn from the seed of the run: a race can be repeated. */

/** Draws what is left to chance in a race. */
export const drawRace = (rule: RuleId, variant: string): Rng =>
  rngFor({ seed: runOptions.seed, namespace: runOptions.namespace, rule, variant })

/** Starts calls at once, in a random order; returns their results in the order given. */
export const atOnce = async <T>(rng: Rng, calls: readonly (() => Promise<T>)[]): Promise<T[]> => {
  const results: T[] = []
  const drawn = calls
    .map((call, place) => ({ call, place, turn: rng.int32() }))
    .toSorted((a, b) => a.turn - b.turn)
  await Promise.all(
    drawn.map(async ({ call, place }) => {
      results[place] = await call()
    }),
  )
  return results
}
