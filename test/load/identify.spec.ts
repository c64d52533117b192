import { expect, test } from '@playwright/test'
import { classify } from '../../load/identify/classify.ts'
import type { LimiterId } from '../../load/identify/classify.ts'
import { observe } from '../../load/identify/experiments.ts'
import type { Subject } from '../../load/probes/job.ts'
import {
  leakyBucket,
  replicas,
  slidingCounter,
  tokenBucket,
  windowFromFirstCall,
} from '../../reference/mutants/limiters.ts'
import { limitsRateMutants } from '../../reference/mutants/limits/rate.ts'
import { limiterBench } from './limiter-bench.ts'
import type { Simulated } from './limiter-bench.ts'

/** The limiters of the reference and of its mutants are told apart, in virtual time. */

const limiters: Readonly<Record<LimiterId, (seed: number) => Pick<Simulated, 'policy' | 'cap'>>> = {
  'sliding-log': () => ({}),
  'sliding-counter': () => ({ policy: { roomIn: slidingCounter } }),
  'fixed-window-aligned': () => ({
    policy: limitsRateMutants['limits.rate.windows-slide/windows-reset'].policy,
  }),
  'fixed-window-from-first-call': () => ({ policy: { roomIn: windowFromFirstCall } }),
  'token-bucket': () => ({ policy: { roomIn: tokenBucket } }),
  'leaky-bucket': () => ({ policy: { roomIn: leakyBucket } }),
  'concurrency-cap': () => ({ cap: 3 }),
  none: () => ({ policy: { thresholds: () => [] } }),
  replicas: (seed) => ({ policy: replicas(2 + (seed % 2), seed) }),
}

const tables = [
  { perSecond: 4, perMinute: 8, perHour: 20 },
  { perSecond: 10, perMinute: 30, perHour: 180 },
  { perSecond: 30, perMinute: 120, perHour: 1200 },
] as const

const subjectOf = (thresholds: Subject['thresholds']): Subject => ({
  row: 'default',
  thresholds,
  call: { operation: 'limits.context' },
  already: [],
})

for (const limiter of Object.keys(limiters) as LimiterId[])
  test(`names the limiter ${limiter}`, async () => {
    for (const seed of [1, 2])
      for (const thresholds of tables) {
        const bench = limiterBench({ thresholds, seed, ...limiters[limiter](seed) })
        const observations = await observe(bench, subjectOf(thresholds), 'second')
        const identified = classify('second', thresholds, observations)
        const where = `seed ${seed}, ${thresholds.perSecond} a second: ${JSON.stringify(identified)}`
        expect(identified.limiter, where).toBe(limiter)
        expect(identified.confidence, where).toBeGreaterThan(0.2)
      }
  })
