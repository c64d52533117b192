import type { Step } from './history.ts'

/** Steps in the order of their arrival, numbered in that order. */
export const inOrder = (steps: readonly Step[]): Step[] =>
  steps
    .toSorted((a, b) => a.at - b.at || a.n - b.n)
    .map((step, place) => ({ ...step, n: place + 1 }))
