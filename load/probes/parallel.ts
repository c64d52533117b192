import type { Bench } from './bench.ts'
import { countLimited, endOf, isLimited, marginOf } from './bench.ts'
import type { Job, Measured, WindowName } from './job.ts'
import { hiddenBy, subjectOf } from './job.ts'
import { createRated } from './rated.ts'

/** One row through all its windows in one go: the thresholds count in parallel, and each refuses when it is full. */
export const parallel = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const subject = subjectOf(job)
  const rated = createRated(bench, subject)
  const result = (verdict: Measured['verdict'], actual: string): readonly Measured[] => [
    {
      probe: 'parallel',
      row: subject.row,
      verdict,
      expected: 'bursts fill the windows in parallel, and each full window refuses the next call',
      actual,
    },
  ]
  const seen: string[] = []
  for (const window of ['second', 'minute', 'hour'] as const satisfies readonly WindowName[]) {
    if (hiddenBy(window, subject.thresholds) !== undefined) continue
    if (countLimited(await rated.fill(window)) > 0)
      return result('fail', `a call within the limits is refused before the ${window} is full`)
    const free = rated.fullUntil()
    const [over] = await rated.call(1)
    if (over === undefined || endOf([over]) >= free)
      return result('inconclusive', `the calls took longer than the ${window}`)
    if (!isLimited(over)) return result('fail', `a call passes although the ${window} is full`)
    seen.push(window)
    if (window !== 'hour')
      await bench.until(over.ended + (over.retryAfter ?? 1) * 1000 + marginOf(bench))
  }
  return result('pass', `refused at the ${seen.join(', then at the ')}`)
}
