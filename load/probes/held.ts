import type { Bench } from './bench.ts'
import { countLimited, endOf, marginOf } from './bench.ts'
import type { Job, Measured } from './job.ts'
import { hiddenBy, subjectOf } from './job.ts'
import { createRated } from './rated.ts'

/** A full window stays full until its first call has left it. */
export const held = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const { window = 'second' } = job
  const subject = subjectOf(job)
  const result = (verdict: Measured['verdict'], actual: string): readonly Measured[] => [
    {
      probe: 'held',
      row: subject.row,
      window,
      verdict,
      expected: 'a full window refuses calls until its first call has left it',
      actual,
    },
  ]
  if (hiddenBy(window, subject.thresholds) !== undefined)
    return result('not-verifiable', 'a longer window is full first')
  const rated = createRated(bench, subject)
  if (countLimited(await rated.fill(window)) > 0)
    return result('fail', 'calls within the limits are refused')
  const free = rated.fullUntil()
  const guard = 2 * marginOf(bench)
  await bench.until(free - guard)
  const over = await rated.call(1)
  if (endOf(over) >= free) return result('inconclusive', 'the call came too late')
  return countLimited(over) === 1
    ? result('pass', `refused ${guard} ms before the first call leaves the window`)
    : result('fail', `a call passes ${guard} ms before the first one leaves the window`)
}
