import { expect, test } from '@playwright/test'
import type { Job, Subject } from '../../load/probes/job.ts'
import { probes } from '../../load/probes/probes.ts'
import type { ProbeId } from '../../load/probes/probes.ts'
import { limitsRateMutants } from '../../reference/mutants/limits/rate.ts'
import type { Mutant } from '../../reference/mutants/mutant.ts'
import { limiterBench } from './limiter-bench.ts'

/** The probes pass at the limiter of the reference, and each defect of it fails a probe, in virtual time. */

const thresholds = { perSecond: 4, perMinute: 24, perHour: 60 }

const subject = (row: string, operation: 'limits.context' | 'limits.rates'): Subject => ({
  row,
  thresholds,
  call: { operation },
  already: [],
})

const one = [subject('default', 'limits.context')]
const two = [...one, subject('default', 'limits.rates')]
const perWindow = (probe: ProbeId): Job[] =>
  (['second', 'minute', 'hour'] as const).map((window) => ({ probe, subjects: one, window }))

const jobs: readonly Job[] = [
  ...perWindow('edge'),
  ...perWindow('sliding'),
  ...perWindow('held'),
  { probe: 'parallel', subjects: one },
  { probe: 'separate', subjects: two },
  { probe: 'escalation', subjects: one },
  { probe: 'exactness', subjects: one },
  { probe: 'keys', subjects: one },
]

/** Verdicts by probe and window, each job from a limiter without calls. */
const verdictsAt = async (mutant: Mutant | undefined): Promise<Record<string, string>> => {
  const verdicts: Record<string, string> = {}
  for (const job of jobs) {
    const bench = limiterBench({
      thresholds,
      seed: 1,
      ...(mutant?.policy === undefined ? {} : { policy: mutant.policy }),
    })
    for (const { probe, window, verdict } of await probes[job.probe as ProbeId](bench, job)) {
      const key = window === undefined ? probe : `${probe} ${window}`
      if (verdicts[key] !== 'fail' && verdict !== 'observed') verdicts[key] = verdict
    }
  }
  return verdicts
}

test('every probe passes at exact sliding windows', async () => {
  const verdicts = await verdictsAt(undefined)
  expect(Object.keys(verdicts).length).toBeGreaterThan(12)
  expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== 'pass')).toEqual([])
})

/** Defect -> probes that fail at it. */
const defects = {
  'limits.rate.each-rule/one-too-many': [
    'edge second',
    'edge minute',
    'edge hour',
    'exactness second',
  ],
  'limits.rate.each-rule/one-too-few': [
    'edge second',
    'edge minute',
    'edge hour',
    'separate second',
  ],
  'limits.rate.each-rule/no-second': ['edge second', 'exactness second'],
  'limits.rate.each-rule/no-minute': ['edge minute', 'parallel'],
  'limits.rate.each-rule/no-hour': ['edge hour', 'parallel'],
  'limits.rate.each-rule/no-limits': ['edge second', 'held hour'],
  'limits.rate.each-rule/leaky-bucket': ['edge second'],
  'limits.rate.windows-slide/windows-reset': ['sliding second', 'sliding minute', 'sliding hour'],
  'limits.rate.windows-slide/window-short': ['held second', 'held minute', 'held hour'],
  'limits.rate.windows-slide/sliding-counter': ['sliding hour', 'held hour'],
  'limits.rate.windows-slide/window-from-first-call': ['sliding second', 'sliding hour'],
  'limits.rate.windows-slide/token-bucket': ['held second', 'held minute', 'held hour'],
  'limits.rate.retry-after/retry-after-zero': ['retry-after second'],
  'limits.rate.retry-after/retry-after-too-short': ['retry-after minute', 'retry-after hour'],
  'limits.rate.escalation/no-escalation': ['escalation'],
  'limits.rate.exact-under-concurrency/same-moment-uncounted': ['exactness second', 'edge second'],
  'limits.rate.exact-under-concurrency/replicas': ['exactness second'],
} as const satisfies Partial<Record<keyof typeof limitsRateMutants, readonly string[]>>

for (const [id, failing] of Object.entries(defects))
  test(`names ${id}`, async () => {
    const mutant: Mutant = limitsRateMutants[id as keyof typeof defects]
    const verdicts = await verdictsAt(mutant)
    const failed = Object.keys(verdicts).filter((key) => verdicts[key] === 'fail')
    expect(failed).toEqual(expect.arrayContaining([...failing]))
  })
