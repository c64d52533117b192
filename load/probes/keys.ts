import type { Bench } from './bench.ts'
import { countLimited, endOf } from './bench.ts'
import type { Job, Measured } from './job.ts'
import { subjectOf } from './job.ts'

/**
 * One of several callers that differ in context or address and call at the same time: each has the whole threshold of
 * a second for itself.
 */
export const keys = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const { row, thresholds, call } = subjectOf(job)
  const { perSecond } = thresholds
  if (!bench.virtual) await bench.until(Math.ceil(bench.now() / 3000) * 3000 + 3000)
  const begun = bench.now()
  const limited = countLimited(await bench.burst(call, perSecond))
  const over = await bench.burst(call, 1)
  const isLate = !bench.virtual && endOf(over) - begun >= 1000
  const holds = limited === 0 && countLimited(over) === 1
  return [
    {
      probe: 'keys',
      row,
      window: 'second',
      verdict: holds ? 'pass' : isLate ? 'inconclusive' : 'fail',
      expected: `${perSecond} calls of this context from this address pass, one more is refused`,
      actual: `${perSecond - limited} of ${perSecond} pass, the next ${countLimited(over) === 1 ? 'is refused' : 'passes'}`,
    },
  ]
}
