import { legalDueTimes } from '../stages.ts'
import type { Answer, Bench } from './bench.ts'
import { countLimited } from './bench.ts'
import type { Job, Measured } from './job.ts'

/** The fastest legal pace of one or more rows side by side, for a while: no call may be refused. */

export interface PaceJob extends Job {
  readonly seconds: number
  /** Extra milliseconds that calls wait when a window makes them wait. */
  readonly marginMs: number
}

export const pace = async (
  bench: Bench,
  { probe, subjects, seconds, marginMs }: PaceJob,
): Promise<readonly Measured[]> => {
  const start = Math.max(bench.now(), ...subjects.flatMap(({ already }) => already.flat())) + 1000
  const schedule = subjects
    .flatMap((subject) =>
      dueWithin(subject.thresholds, seconds, marginMs).map((due) => ({ subject, due })),
    )
    .toSorted((a, b) => a.due - b.due)
  const calls = new Map<string, Promise<readonly Answer[]>[]>()
  for (const { subject, due } of schedule) {
    await bench.until(start + due)
    const call = bench.burst(subject.call, 1)
    // In virtual time the clock may not move before the answer is there.
    if (bench.virtual) await call
    calls.set(subject.row, [...(calls.get(subject.row) ?? []), call])
  }
  const measured: Measured[] = []
  for (const [row, made] of calls) {
    const answers = (await Promise.all(made)).flat()
    const limited = countLimited(answers)
    measured.push({
      probe,
      row,
      verdict: limited === 0 ? 'pass' : 'fail',
      expected: `none of ${answers.length} calls in ${seconds} s is refused with 429`,
      actual: `${limited} are refused`,
      passed: answers.length - limited,
    })
  }
  return measured
}

/** Due times of a row up to an end; production's rows allow at most one call per 100 ms. */
const dueWithin = (
  thresholds: Job['subjects'][number]['thresholds'],
  seconds: number,
  marginMs: number,
): readonly number[] => {
  const { perSecond, perMinute, perHour } = thresholds
  const most = Math.min(
    perSecond * seconds,
    perMinute * Math.ceil(seconds / 60),
    perHour * Math.ceil(seconds / 3600),
  )
  return legalDueTimes(thresholds, most, marginMs).filter((due) => due < seconds * 1000)
}
