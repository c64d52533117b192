import type { Goal } from './goals.ts'

/**
 * Where values are still to be tried: the particles, by their path, and the branches of choices, by path and number,
 * that lead to one. Whatever leads there is put into every document, so that many places advance at once.
 */
export interface Wanting {
  readonly has: (what: string) => boolean
  /** The value of a goal was reached. */
  readonly release: (goal: Goal) => void
}

const waysOf = ({ through, branches }: Goal): string[] => [
  ...through,
  ...Array.from(branches, ([path, branch]) => `${path} ${branch}`),
]

export function wantingOf(goals: ReadonlyMap<string, Goal>): Wanting {
  const counts = new Map<string, number>()
  const add = (goal: Goal, by: number) => {
    for (const way of waysOf(goal)) counts.set(way, (counts.get(way) ?? 0) + by)
  }
  for (const goal of goals.values()) if (goal.wanted.what === 'value') add(goal, 1)
  return { has: (what) => (counts.get(what) ?? 0) > 0, release: (goal) => add(goal, -1) }
}
