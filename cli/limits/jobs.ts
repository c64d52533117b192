import type { RateRuleId } from '../../contract/limits.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { setRates } from '../../suites/support/service/rated.ts'
import type { AssignedJob } from '../../load/assignment.ts'
import type { Measured, Subject, WindowName } from '../../load/probes/job.ts'
import { spans } from '../../load/probes/job.ts'
import type { ProbeId } from '../../load/probes/probes.ts'
import type { Caller, Callers } from './callers.ts'
import {
  defaultSubjects,
  sharedRows,
  subjectOfRow,
  subjectsOfSharedRow,
  uploadSubject,
} from './subjects.ts'

/** Which probes run, each in its own context, and in which order. */

export interface JobsOptions {
  readonly callers: Callers
  readonly rows: readonly RateRuleId[]
  /** The clock can be moved. */
  readonly virtual: boolean
  readonly realHour: boolean
  /** The target can simulate limits. */
  readonly simulates: boolean
  /** Takes note of a caller whose limits were set, to restore them. */
  readonly onSet: (caller: Caller) => void
}

export interface Jobs {
  readonly lanes: readonly (readonly AssignedJob[])[]
  /** Callers that differ in context or address, which call at the same time. */
  readonly keys: readonly (readonly AssignedJob[])[]
  /** What cannot be probed here, and why. */
  readonly skipped: readonly Measured[]
}

/** Few enough calls that the hour is full within two minutes. */
const fewCalls = { perSecond: 2, perMinute: 4, perHour: 6 } as const
const plenty = 100_000

const perWindow = ['edge', 'sliding', 'held'] as const
const windows = ['second', 'minute', 'hour'] as const

export const prepareJobs = async (options: JobsOptions): Promise<Jobs> => {
  const { callers, rows, virtual, realHour, simulates } = options
  const skipped: Measured[] = []
  const lanes: AssignedJob[][] = []
  let isPooled = false

  const job = async (
    probe: ProbeId,
    prepare: (caller: Caller, offsetMs: number) => Promise<readonly Subject[]>,
    window?: WindowName,
  ): Promise<AssignedJob> => {
    const caller = await callers.next()
    isPooled ||= caller.isUsed
    const subjects = await prepare(caller, callers.offsetMs())
    return {
      probe,
      subjects,
      ...(window === undefined ? {} : { window }),
      ...caller.login,
      pauseMs: caller.isUsed ? spans.minute + 1000 : 0,
    }
  }
  const one =
    (row: RateRuleId, set?: Required<Thresholds>) => async (caller: Caller, offsetMs: number) => {
      if (set !== undefined) {
        options.onSet(caller)
        await setRates(caller.api, { [row]: set })
      }
      return [await subjectOfRow(row, caller, offsetMs, set)]
    }
  const skip = (probe: string, row: string, window: WindowName, actual: string) =>
    skipped.push({ probe, row, window, verdict: 'not-verifiable', expected: '', actual })

  const whole = virtual || realHour
  for (const row of rows) {
    const brief: AssignedJob[] = []
    for (const window of windows)
      for (const probe of perWindow) {
        if (window !== 'hour' || whole) {
          const made = await job(probe, one(row), window)
          if (window === 'second') brief.push(made)
          else lanes.push([made])
        } else if (probe === 'edge' && simulates)
          lanes.push([await job(probe, one(row, fewCalls), window)])
        else
          skip(probe, row, window, 'needs a management port, or an hour of real time (--real-hour)')
      }
    lanes.unshift(brief)
  }
  const [first = 'queryMetadata'] = rows
  if (whole) lanes.push([await job('parallel', one('queryMetadata'))])
  else if (simulates) lanes.push([await job('parallel', one('queryMetadata', fewCalls))])
  else skip('parallel', 'queryMetadata', 'hour', 'needs a management port, or --real-hour')
  lanes.push([
    await job('separate', async (caller, offsetMs) => {
      const subjects: Subject[] = []
      for (const row of rows) subjects.push(await subjectOfRow(row, caller, offsetMs))
      return subjects
    }),
    await job('separate-default', defaultSubjects),
  ])
  for (const row of sharedRows)
    if (rows.includes(row))
      lanes.push([await job('together', (caller, ms) => subjectsOfSharedRow(row, caller, ms))])
  lanes.push([await job('escalation', one('exportStatus'))])
  const exact = { perSecond: plenty, perMinute: 480, perHour: plenty }
  lanes.push([
    simulates
      ? await job('exactness', one('sessionList', exact), 'minute')
      : await job('exactness', one('sessionOther'), 'second'),
  ])
  lanes.push([await job('unlimited', async (caller) => [await uploadSubject(caller)])])
  return {
    lanes: virtual || isPooled ? [lanes.flat()] : staggered(lanes),
    keys: isPooled ? [] : await keyLanes(job, one(first)),
    skipped,
  }
}

/** Milliseconds between the starts of two lanes, so that their bursts do not slow each other down. */
const staggerMs = 700

const staggered = (lanes: Jobs['lanes']): Jobs['lanes'] =>
  lanes
    .filter(({ length }) => length > 0)
    .map((jobs, lane) =>
      jobs.map((job, place) => (place === 0 ? { ...job, pauseMs: lane * staggerMs } : job)),
    )

/** Two contexts from two addresses each: virtual users take the addresses in turn. */
const keyLanes = async (
  job: (
    probe: ProbeId,
    prepare: (caller: Caller, offsetMs: number) => Promise<readonly Subject[]>,
  ) => Promise<AssignedJob>,
  prepare: (caller: Caller, offsetMs: number) => Promise<readonly Subject[]>,
): Promise<AssignedJob[][]> => {
  const [a, b] = [await job('keys', prepare), await job('keys', prepare)]
  return [[a], [a], [b], [b]]
}

export const maximumSecondsOf = (lanes: Jobs['lanes'], virtual: boolean): number =>
  virtual
    ? 3600
    : 600 +
      Math.max(
        ...lanes.map((jobs) =>
          jobs.reduce((sum, { window, subjects: [subject] }) => {
            const { perMinute = 1, perHour = 1 } = subject?.thresholds ?? {}
            const fill = window === 'hour' ? (perHour / perMinute) * 60 : 0
            return sum + fill + (3 * spans[window ?? 'second']) / 1000
          }, 0),
        ),
      )
