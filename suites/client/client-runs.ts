import { performance } from 'node:perf_hooks'
import type { Dialect } from '../../contract/dialect.ts'
import { sleep } from '../../lib/poll.ts'
import type { Condition } from './conditions/condition.ts'
import type { HistoryEvent } from './history.ts'
import { notInTime } from './history.ts'
import type { Ordeal } from './ordeal.ts'
import type { Subject } from './subject.ts'
import { startSubject } from './subject.ts'
import { environmentOf } from './task-file.ts'
import type { World } from './world.ts'

/** Runs the client of one ordeal, and again after it was killed. */

export interface ExamineOptions {
  readonly command: readonly [string, ...string[]]
  readonly dialect: Dialect
  readonly seed: number
  readonly cwd: string
  /** Environment of the client besides that of the ordeal. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** Everything that one ordeal is run with. */
export interface Setting {
  readonly id: string
  readonly ordeal: Ordeal
  readonly options: ExamineOptions
  readonly seed: number
  readonly conditions: readonly Condition[]
  readonly folder: string
  readonly world: World
  readonly begun: number
}

/** The whole time that a client has for one ordeal, ms. */
export const deadline = 58_000
/** How long after it was killed the client is started again, ms. */
const restartAfter = 300
/** Starts of the client at most: what is killed is started again. */
const startsAtMost = 6

/** What happened besides the calls, with the time since the beginning of the examination. */
export function createTimeline() {
  const events: HistoryEvent[] = []
  const zero = performance.now()
  const now = () => Math.round((performance.now() - zero) * 10) / 10
  return {
    events,
    now,
    note: (event: Omit<HistoryEvent, 'at'>) => void events.push({ at: now(), ...event }),
    kills: () => events.filter(({ kind }) => kind === 'client-killed').length,
  }
}

export type Timeline = ReturnType<typeof createTimeline>

/** The client while it is run, and killed and started again. */
export interface Runs {
  /** Which start of the client is running. */
  start: number
  subject: Subject | undefined
}

/** Runs the client as often as the ordeal asks; how each run ended. */
export async function runClient(
  { ordeal, options, folder, world, begun }: Setting,
  origin: string,
  timeline: Timeline,
  runs: Runs,
): Promise<string[]> {
  const ends: string[] = []
  const wanted = ordeal.runs ?? 1
  let finished = 0
  for (let start = 1; start <= startsAtMost && finished < wanted; start += 1) {
    const left = deadline - (performance.now() - begun)
    if (left < 500 || options.signal?.aborted === true) break
    runs.start = start
    const kills = timeline.kills()
    timeline.note({ kind: 'client-started', words: `start ${start} of the client` })
    const env = { ...options.env, ...environmentOf(origin, folder, world) }
    const subject = startSubject(options.command, env, options.cwd)
    runs.subject = subject
    const timer = setTimeout(() => subject.kill(), left)
    const end = await subject.ended
    clearTimeout(timer)
    const killed = timeline.kills() > kills
    const late = performance.now() - begun >= deadline - 100
    timeline.note({ kind: 'client-ended', words: late ? notInTime : end.words })
    ends.push(
      `${late ? 'stopped after its time was over' : killed ? 'killed by the examiner' : end.words}${end.stderr === '' ? '' : `: ${end.stderr.trim()}`}`,
    )
    if (killed) await sleep(restartAfter)
    else finished += 1
  }
  return ends
}
