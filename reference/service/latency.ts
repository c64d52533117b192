import { createHash } from 'node:crypto'
import type { WorkKind } from '../model/work.ts'

/** Realistic delays of asynchronous work, the same ones for the same seed. */

/** Median of each kind, ms. */
const medians: Readonly<Record<WorkKind, number>> = {
  authentication: 800,
  token: 1_000,
  operation: 900,
  enrollment: 1_500,
  certificate: 1_000,
  invoice: 900,
  verification: 300,
  storage: 2_500,
  session: 2_000,
  expiry: 0,
  batch: 5_000,
  export: 6_000,
}

/** Log-normal around the median of the kind, drawn in the order of the work. Work that waits for a date has none. */
export const createLatency = (seed: number): ((kind: WorkKind, ms: number) => number) => {
  let drawn = 0
  const uniform = (): number => {
    const digest = createHash('sha256').update(`latency ${seed} ${drawn++}`).digest()
    return (digest.readUInt32BE(0) + 1) / (2 ** 32 + 2)
  }
  return (kind, ms) => {
    if (medians[kind] === 0 || ms > 1_000) return ms
    const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    return Math.round(ms + medians[kind] * Math.exp(0.5 * normal))
  }
}
