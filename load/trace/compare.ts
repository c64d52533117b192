import type { Latency } from './latency.ts'
import { latencyOf } from './latency.ts'

/** Whether the latencies of one run differ from those of another by more than chance. */

export interface Comparison {
  readonly before: Latency
  readonly after: Latency
  /** Two-sided p-value of the Mann-Whitney U test. */
  readonly p: number
  /** Probability that a call of `after` is slower than one of `before`; 0.5 when they are alike. */
  readonly slower: number
  readonly verdict: 'same' | 'faster' | 'slower'
}

/** A difference counts when chance explains it this rarely ... */
const significance = 0.01
/** ... and when it is large enough to matter: by the odds of being slower, and by a percentile. */
const minimumEffect = 0.56
const minimumGrowth = 1.1

/**
 * Ranks both samples together and compares the sum of ranks with what chance would give: the Mann-Whitney U test by
 * its normal approximation with a correction for ties. It assumes no shape of the latencies, and outliers count no
 * more than their rank.
 */
export function mannWhitney(
  before: readonly number[],
  after: readonly number[],
): { readonly p: number; readonly slower: number } {
  const [n, m] = [before.length, after.length]
  if (n === 0 || m === 0) return { p: 1, slower: 0.5 }
  const all = [
    ...before.map((value) => ({ value, ofAfter: false })),
    ...after.map((value) => ({ value, ofAfter: true })),
  ].toSorted((a, b) => a.value - b.value)
  let rankSum = 0
  let ties = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1
    const rank = (from + 1 + to) / 2
    const size = to - from
    ties += size ** 3 - size
    rankSum += rank * all.slice(from, to).filter(({ ofAfter }) => ofAfter).length
    from = to
  }
  const u = rankSum - (m * (m + 1)) / 2
  const total = n + m
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)))
  const distance = Math.abs(u - (n * m) / 2) - 0.5
  const p = variance <= 0 || distance <= 0 ? 1 : 2 * upperTail(distance / Math.sqrt(variance))
  return { p: Math.min(1, p), slower: u / (n * m) }
}

/** Probability that a standard normal value exceeds z >= 0 (Abramowitz and Stegun 26.2.17, error below 1e-7). */
const upperTail = (z: number): number => {
  const t = 1 / (1 + 0.231_641_9 * z)
  const series =
    t *
    (0.319_381_53 +
      t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
}

export function compareLatencies(before: readonly number[], after: readonly number[]): Comparison {
  const { p, slower } = mannWhitney(before, after)
  const [b, a] = [latencyOf(before), latencyOf(after)]
  const grown = a.p50 > b.p50 * minimumGrowth || a.p95 > b.p95 * minimumGrowth
  const shrunk = a.p50 * minimumGrowth < b.p50 || a.p95 * minimumGrowth < b.p95
  const isDifferent = p < significance
  const verdict =
    isDifferent && slower >= minimumEffect && grown
      ? 'slower'
      : isDifferent && slower <= 1 - minimumEffect && shrunk
        ? 'faster'
        : 'same'
  return { before: b, after: a, p, slower, verdict }
}
