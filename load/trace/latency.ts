import type { CallLine, TraceLine } from './line.ts'

/** Latencies in milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** The value at a quantile of sorted numbers, by the nearest rank. */
export const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0

export function latencyOf(values: readonly number[]): Latency {
  const sorted = values.toSorted((a, b) => a - b)
  return {
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1) ?? 0,
  }
}

export const callsOf = (trace: readonly TraceLine[]): readonly CallLine[] =>
  trace.filter((line) => line.t === 'call')

/** Latency, latency from the intended start, and how late calls left; of calls that were answered. */
export const latenciesOf = (
  calls: readonly CallLine[],
): {
  readonly latencyMs: Latency
  readonly fromIntendedStart: Latency
  readonly lagMs: Latency
} => {
  const answered = calls.filter(({ status }) => status !== 0)
  return {
    latencyMs: latencyOf(answered.map(({ begun, ended }) => ended - begun)),
    fromIntendedStart: latencyOf(answered.map(({ due, ended }) => Math.max(0, ended - due))),
    lagMs: latencyOf(calls.map(({ due, begun }) => Math.max(0, begun - due))),
  }
}
