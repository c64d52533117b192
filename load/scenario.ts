import type { OnlineAssignment } from './assignment.ts'

/** What a file in scenarios/ provides to k6. `Data` is what the set-up hands to every virtual user. */
export interface Scenario<Data = never> {
  readonly executor:
    | { readonly executor: 'shared-iterations'; readonly vus: number; readonly iterations: number }
    | { readonly executor: 'per-vu-iterations'; readonly vus: number; readonly iterations: number }
  /** Thresholds at which k6 ends the run early, by metric. */
  readonly abortOn?: Readonly<Record<string, string>>
  setup(): Promise<unknown>
  iteration(data: Data): void | Promise<void>
  teardown(data: Data): Promise<void>
}

/**
 * Every iteration has a unique number, and with it its moment in the schedule. An executor that starts
 * iterations by a rate would drop some silently when no virtual user is free, and number the rest differently.
 */
export const scheduled = ({
  users,
  iterations,
  segments,
}: Pick<OnlineAssignment, 'users' | 'iterations' | 'segments'>) => {
  // k6 gives a segment every n-th iteration only if all have as many virtual users.
  const vus = segments * Math.max(1, Math.floor(Math.min(users, iterations) / segments))
  return { executor: 'shared-iterations', vus, iterations } as const
}
