import { createRng } from '../../../lib/random.ts'
import type { Rng } from '../../../lib/random.ts'

/**
 * Habits of the client of the running check: where there are several ways that mean the same, it takes one of them, drawn
 * from the seed. What a check expects has to hold whichever it takes. One check runs in a worker at a time.
 */

let drawn: Rng | undefined

/** A check starts: its habits are drawn from these parts, or are the plainest ones where there are none. */
export const startHabits = (...from: readonly string[]): void => {
  drawn = from.length === 0 ? undefined : createRng(['habits', ...from].join(' '))
}

/** One of several ways that mean the same; the first where nothing is drawn. */
export const oneWay = <T>(ways: readonly [T, ...(readonly T[])]): T => drawn?.pick(ways) ?? ways[0]
