import type { Measured } from '../../load/probes/job.ts'

/** Every row and threshold of the rate table, probed. */
export interface EdgeResult {
  readonly id: string
  readonly scenario: 'limit-edge'
  readonly seed: number
  readonly target: string
  readonly time: 'virtual' | 'real'
  readonly started: string
  readonly finished: string
  readonly requests: number
  readonly findings: readonly Measured[]
  readonly totals: Readonly<Partial<Record<Measured['verdict'], number>>>
  readonly verdict: 'pass' | 'fail' | 'inconclusive'
  readonly reasons: readonly string[]
}
