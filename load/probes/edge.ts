import type { Bench } from './bench.ts'
import { countLimited, endOf, isLimited } from './bench.ts'
import type { Job, Measured } from './job.ts'
import { hiddenBy, spanWords, spans, subjectOf, thresholdKeys } from './job.ts'
import { createRated } from './rated.ts'
import { measureRetryAfter } from './retry-after.ts'

/** One threshold: as many calls as it says pass, the next are refused, and Retry-After is as long as it must be. */
export const edge = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const { window = 'second' } = job
  const subject = subjectOf(job)
  const { row, thresholds } = subject
  const maximum = thresholds[thresholdKeys[window]]
  const beyond = Math.max(1, Math.ceil(maximum * 0.05))
  const expected = `${maximum} calls in ${spanWords[window]} pass, ${beyond} more ${beyond === 1 ? 'is' : 'are'} refused`
  const result = (verdict: Measured['verdict'], actual: string, passed?: number): Measured => ({
    probe: 'edge',
    row,
    window,
    verdict,
    expected,
    actual,
    ...(passed === undefined ? {} : { passed, maximum }),
  })
  const hidden = hiddenBy(window, thresholds)
  if (hidden !== undefined)
    return [result('not-verifiable', `the threshold per ${hidden} is reached first`)]

  const rated = createRated(bench, subject)
  const filled = await rated.fill(window)
  const early = filled.findIndex(isLimited)
  if (early >= 0)
    return [
      result(
        'fail',
        `${filled.length - countLimited(filled)} of ${filled.length} calls within the limits pass`,
        filled.length - countLimited(filled),
      ),
    ]
  const minimum = rated.windows.retryAfter(bench.now())
  const free = rated.fullUntil()
  const over = await rated.call(beyond)
  const refused = countLimited(over)
  if (endOf(over) >= free)
    return [result('inconclusive', `the calls took longer than the ${spans[window]} ms window`)]
  if (refused < beyond)
    return [
      result(
        'fail',
        `${maximum} pass, and ${beyond - refused} of ${beyond} more pass, too`,
        maximum + beyond - refused,
      ),
    ]
  return [
    result(
      'pass',
      `${maximum} pass, ${beyond} more ${beyond === 1 ? 'is' : 'are'} refused`,
      maximum,
    ),
    ...(await measureRetryAfter(bench, rated, { row, window }, over.find(isLimited), minimum)),
  ]
}
