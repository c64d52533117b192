import type { Bench } from './bench.ts'
import { countLimited, endOf } from './bench.ts'
import type { Job, Measured } from './job.ts'
import { spanWords, spans, subjectOf } from './job.ts'

const calls = 1000

/** A thousand simultaneous calls against one threshold: exactly as many pass as it says. */
export const exactness = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const { row, thresholds, call } = subjectOf(job)
  const { window = 'second' } = job
  const maximum = Math.min(thresholds.perSecond, thresholds.perMinute, thresholds.perHour)
  const begun = bench.now()
  const answers = await bench.burst(call, calls)
  const passed = answers.length - countLimited(answers)
  const isLate = !bench.virtual && endOf(answers) - begun >= spans[window]
  return [
    {
      probe: 'exactness',
      row,
      window,
      verdict: isLate ? 'inconclusive' : passed === maximum ? 'pass' : 'fail',
      expected: `exactly ${maximum} of ${calls} simultaneous calls pass`,
      ...(isLate ? {} : { passed, maximum }),
      actual: isLate ? `${calls} calls took longer than ${spanWords[window]}` : `${passed} pass`,
    },
  ]
}
