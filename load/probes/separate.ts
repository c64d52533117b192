import type { Answer, Bench } from './bench.ts'
import { countLimited, endOf } from './bench.ts'
import type { Job, Measured, Subject } from './job.ts'

/** What is counted separately, and what together: simultaneous calls, so that all of them lie in one second. */

const burstAll = (
  bench: Bench,
  subjects: readonly Subject[],
  countOf: (subject: Subject, place: number) => number,
): Promise<readonly (readonly Answer[])[]> =>
  Promise.all(subjects.map((subject, place) => bench.burst(subject.call, countOf(subject, place))))

const tookTooLong = (bench: Bench, begun: number, answers: readonly (readonly Answer[])[]) =>
  !bench.virtual && endOf(answers.flat()) - begun >= 1000

/** Every subject up to its own threshold per second: none uses up another. */
export const separate = async (
  bench: Bench,
  { probe, subjects }: Job,
): Promise<readonly Measured[]> => {
  const begun = bench.now()
  const answers = await burstAll(bench, subjects, ({ thresholds }) => thresholds.perSecond)
  const isLate = tookTooLong(bench, begun, answers)
  return subjects.map(({ row, thresholds }, place) => {
    const limited = countLimited(answers[place] ?? [])
    const { perSecond } = thresholds
    return {
      probe,
      row,
      window: 'second',
      verdict: limited === 0 ? 'pass' : isLate ? 'inconclusive' : 'fail',
      expected: `${perSecond} calls pass while the others use up theirs`,
      actual: `${perSecond - limited} of ${perSecond} pass`,
    }
  })
}

/** Operations of one row share its threshold per second. */
export const together = async (
  bench: Bench,
  { probe, subjects }: Job,
): Promise<readonly Measured[]> => {
  const [first] = subjects
  if (first === undefined) return []
  const { row, thresholds } = first
  const { perSecond } = thresholds
  const begun = bench.now()
  const share = Math.floor(perSecond / subjects.length)
  const within = await burstAll(bench, subjects, (_, place) =>
    place === 0 ? perSecond - share * (subjects.length - 1) : share,
  )
  const beyond = await burstAll(bench, subjects, () => 1)
  const early = countLimited(within.flat())
  const refused = countLimited(beyond.flat())
  const isLate = tookTooLong(bench, begun, [...within, ...beyond])
  const holds = early === 0 && refused === subjects.length
  return [
    {
      probe,
      row,
      window: 'second',
      verdict: holds ? 'pass' : isLate ? 'inconclusive' : 'fail',
      expected: `${subjects.length} operations share ${perSecond} calls a second`,
      actual: `${perSecond - early} of ${perSecond} pass, ${refused} of ${subjects.length} more are refused`,
    },
  ]
}
