import type { Bench } from './bench.ts'
import { countLimited, isLimited, marginOf } from './bench.ts'
import type { Job, Measured } from './job.ts'
import { subjectOf } from './job.ts'
import { createRated } from './rated.ts'

const rounds = 4

/** A repeat offender is blocked for longer; after an hour without a call the first block is as short as at first. */
export const escalation = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const subject = subjectOf(job)
  const { row } = subject
  const rated = createRated(bench, subject)
  const offend = async (): Promise<number | undefined> => {
    if (countLimited(await rated.fill('second')) > 0) return undefined
    const [over] = await rated.call(1)
    if (over === undefined || !isLimited(over) || over.retryAfter === undefined) return undefined
    await bench.until(over.ended + over.retryAfter * 1000 + marginOf(bench))
    return over.retryAfter
  }
  const waits: number[] = []
  const grows = (verdict: Measured['verdict'], actual: string): Measured => ({
    probe: 'escalation',
    row,
    verdict,
    expected: 'each further violation is blocked for longer',
    actual,
  })
  for (let round = 0; round < rounds; round += 1) {
    const seconds = await offend()
    if (seconds === undefined)
      return [grows('inconclusive', `violation ${round + 1} was not refused with a Retry-After`)]
    waits.push(seconds)
  }
  const [first = 0] = waits
  const grew = waits.every((wait, at) => at === 0 || wait > (waits[at - 1] ?? 0))
  const measured = [grows(grew ? 'pass' : 'fail', `blocks of ${waits.join(', ')} s`)]
  if (!bench.virtual) return measured
  await bench.until(bench.now() + 3_600_000)
  const later = await offend()
  // The contract does not say when a violation is forgotten.
  return [
    ...measured,
    {
      probe: 'escalation',
      row,
      verdict: 'observed',
      expected: `after an hour without a call a block of ${first} s`,
      actual: later === undefined ? 'no block' : `a block of ${later} s`,
    },
  ]
}
