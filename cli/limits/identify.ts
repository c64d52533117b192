import type { RateRuleId } from '../../contract/limits.ts'
import { classify } from '../../load/identify/classify.ts'
import type { Identified, LimiterId } from '../../load/identify/classify.ts'
import { adviceOf, departuresOf } from '../../load/identify/meaning.ts'
import type { AssignedJob } from '../../load/assignment.ts'
import { spans, thresholdKeys } from '../../load/probes/job.ts'
import type { WindowName } from '../../load/probes/job.ts'
import type { TraceLine } from '../../load/trace/line.ts'
import type { Io } from '../io.ts'
import type { Wanted } from '../load/target.ts'
import { rowsOf } from './edge.ts'
import { withProbedTarget } from './run-probes.ts'
import { subjectOfRow } from './subjects.ts'

/** Names the limiter of each window of a row. */

export interface NamedLimiter extends Identified {
  readonly row: string
  /** Where it departs from the contract. */
  readonly departures: readonly string[]
  /** What that means for a client. */
  readonly advice: string
}

export interface IdentifyResult {
  readonly seed: number
  readonly target: string
  readonly time: 'virtual' | 'real'
  readonly limiters: readonly NamedLimiter[]
}

export interface IdentifyArgs {
  readonly rules: readonly string[]
  /** Windows to look at; those that take no hours when absent. */
  readonly windows: readonly WindowName[]
}

export const identifyLimiters = (
  wanted: Wanted,
  { rules, windows }: IdentifyArgs,
  io: Io,
): Promise<IdentifyResult> => {
  const rows: readonly RateRuleId[] = rules.length === 0 ? ['default'] : rowsOf(rules)
  return withProbedTarget(wanted, io, async ({ callers, virtual, place, run }) => {
    const brief: readonly WindowName[] = virtual ? ['second', 'minute', 'hour'] : ['second']
    const asked = windows.length > 0 ? windows : brief
    const jobs: AssignedJob[] = []
    for (const row of rows)
      for (const window of asked) {
        const caller = await callers.next()
        const subject = await subjectOfRow(row, caller, callers.offsetMs())
        const pauseMs = caller.isUsed ? spans.minute : 0
        jobs.push({ probe: 'identify', subjects: [subject], window, ...caller.login, pauseMs })
      }
    io.err(`seed ${wanted.seed}; experiments with ${rows.join(', ')} per ${asked.join(', ')}\n`)
    const maximumSeconds =
      3600 + (jobs.length * 12 * 4 * Math.max(...asked.map((one) => spans[one]))) / 1000
    const trace = await run('limit-identify', [jobs], {
      maximumSeconds,
      onLine: (line) => {
        if (line.t === 'observation') io.err(`${line.row} per ${line.window}: ${line.experiment}\n`)
      },
    })
    return {
      seed: wanted.seed,
      target: wanted.target === undefined ? 'the embedded reference' : place.profile.url,
      time: virtual ? 'virtual' : 'real',
      limiters: nameAll(jobs, trace),
    }
  })
}

/** Limiters that do not look at a window at all: what was seen of one window holds for the others. */
const ofNoWindow = new Set<LimiterId>(['concurrency-cap', 'replicas'])

const nameAll = (
  jobs: readonly AssignedJob[],
  trace: readonly TraceLine[],
): readonly NamedLimiter[] => {
  const named: NamedLimiter[] = []
  for (const job of jobs) {
    const own = nameLimiter(job, trace)
    const other = named.find(({ row, limiter }) => row === own.row && ofNoWindow.has(limiter))
    named.push(other === undefined ? own : { ...other, window: own.window })
  }
  return named
}

const nameLimiter = (
  { subjects, window = 'second' }: AssignedJob,
  trace: readonly TraceLine[],
): NamedLimiter => {
  const [subject] = subjects
  if (subject === undefined) throw new Error('a job without a row')
  const { row, thresholds } = subject
  const observations = trace.flatMap((line) =>
    line.t === 'observation' && line.row === row && line.window === window ? [line] : [],
  )
  const identified = classify(window, thresholds, observations)
  const declared = { calls: thresholds[thresholdKeys[window]], windowMs: spans[window] }
  return {
    row,
    ...identified,
    departures: departuresOf(identified, declared),
    advice: adviceOf(identified),
  }
}

export const identifyText = ({ seed, target, time, limiters }: IdentifyResult): string =>
  [
    `Limiters of ${target}, ${time} time, seed ${seed}`,
    ...limiters.flatMap(({ row, window, limiter, parameters, confidence, departures, advice }) => [
      `  ${row} per ${window}: ${limiter}${Object.entries(parameters)
        .map(([name, value]) => `, ${name} ${value}`)
        .join('')} (confidence ${confidence.toFixed(2)})`,
      ...(departures.length === 0
        ? ['    as the contract says']
        : departures.map((one) => `    ${one}`)),
      `    ${advice}`,
    ]),
    '',
  ].join('\n')
