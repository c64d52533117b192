import type { Bench } from './bench.ts'
import { countLimited } from './bench.ts'
import type { Job, Measured } from './job.ts'
import { subjectOf } from './job.ts'

const uploads = 200

/** Uploads of parts have no limit. */
export const unlimited = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const { row, call } = subjectOf(job)
  const limited = countLimited(await bench.burst(call, uploads))
  return [
    {
      probe: 'unlimited',
      row,
      verdict: limited === 0 ? 'pass' : 'fail',
      expected: `none of ${uploads} simultaneous uploads is refused with 429`,
      actual: `${limited} are refused`,
    },
  ]
}
