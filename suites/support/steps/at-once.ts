import type { RuleId } from '../../../contract/rules.ts'
import type { HeldBody } from '../../../lib/exchange.ts'
import { rngFor } from '../../../lib/random.ts'
import type { Rng } from '../../../lib/random.ts'
import { runOptions } from '../checks/run-options.ts'

/** Calls at the same time. The order in which they start is drawn from the seed of the run: a race can be repeated. */

/** Draws what is left to chance in a race. */
export const drawRace = (rule: RuleId, variant: string): Rng =>
  rngFor({ seed: runOptions.seed, namespace: runOptions.namespace, rule, variant })

/**
 * Holds the bodies of some calls back until the heads of all of them have left, and another call that was made then is
 * answered: by that time the service has had its turn to read them, and all are under way together.
 */
export const heldTogether = (calls: number, another: () => Promise<unknown>): HeldBody => {
  let begun = 0
  let letGo = (): void => undefined
  const release = new Promise<void>((resolve) => {
    letGo = resolve
  })
  return {
    release,
    begun() {
      begun += 1
      if (begun === calls) another().then(letGo, letGo)
    },
  }
}

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
