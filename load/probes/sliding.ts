import type { Bench } from './bench.ts'
import { countLimited, endOf, isLimited, marginOf } from './bench.ts'
import type { Job, Measured } from './job.ts'
import { hiddenBy, spans, subjectOf } from './job.ts'
import { createRated } from './rated.ts'

/** The window slides: a place is free when its call leaves the window, and no other place. */
export const sliding = async (bench: Bench, job: Job): Promise<readonly Measured[]> => {
  const { window = 'second' } = job
  const subject = subjectOf(job)
  const span = spans[window]
  const expected = 'when the first call leaves the window, one call passes and the next is refused'
  const result = (verdict: Measured['verdict'], actual: string): readonly Measured[] => [
    { probe: 'sliding', row: subject.row, window, verdict, expected, actual },
  ]
  if (hiddenBy(window, subject.thresholds) !== undefined)
    return result('not-verifiable', 'a longer window is full first')

  // The window of the clock changes between the first call and the others, and again before the look.
  if (bench.virtual || window !== 'hour')
    await bench.until(Math.ceil(bench.now() / span) * span + span * 0.25)
  const rated = createRated(bench, subject)
  const [first] = await rated.call(1)
  if (first === undefined || isLimited(first)) return result('fail', 'the first call is refused')
  await bench.until(first.begun + span / 2)
  if (countLimited(await rated.fill(window)) > 0)
    return result('fail', 'calls within the limits are refused')
  const free = rated.windows.nextFree(bench.now())
  await bench.until(Math.max(free, first.ended + span) + marginOf(bench))
  const next = await rated.takeAll()
  if (countLimited(next) > 0)
    return result('fail', 'no place is free when the first call has left the window')
  const again = rated.fullUntil()
  const over = await rated.call(1)
  if (endOf(over) >= again) return result('inconclusive', 'the calls took too long')
  return countLimited(over) === 1
    ? result('pass', `${next.length} passes, the next is refused`)
    : result('fail', 'more places are free than calls have left the window')
}
