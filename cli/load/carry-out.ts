import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDirectory } from '../../lib/node/make-directory.ts'
import type { BatchAssignment, OnlineAssignment, TaskAssignment } from '../../load/assignment.ts'
import type { K6 } from '../../load/engine.ts'
import type { Io } from '../io.ts'
import { runK6 } from './k6.ts'
import type { K6Options, K6Run } from './k6.ts'
import { networkOf } from './network.ts'
import type { Progress } from './progress.ts'
import type { LoadArgs, LoadSetup } from './setup.ts'

/** Carries a prepared load out: k6 in one process or several, with progress. */

/**
 * Runs k6 processes side by side, each with its segment of the load. Their traces are one; when one ends early, the
 * others are stopped.
 */
const runSegments = async (
  k6: K6,
  options: K6Options,
  segments: number,
  io: Io,
): Promise<K6Run> => {
  const others = new AbortController()
  const own = { ...io, signal: AbortSignal.any([io.signal, others.signal]) }
  const settled = await Promise.allSettled(
    Array.from({ length: segments }, async (_, index) => {
      try {
        const run = await runK6(k6, { ...options, segment: { index, count: segments } }, own)
        if (run.endedBy !== undefined) others.abort()
        return run
      } catch (error) {
        others.abort()
        throw error
      }
    }),
  )
  const runs = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  const early = runs.filter(({ endedBy }) => endedBy !== undefined)
  // Those that were stopped for the sake of another say nothing of the reason.
  const first = early.find(({ endedBy }) => endedBy !== 'interrupted') ?? early[0]
  return {
    trace: runs.flatMap(({ trace }) => trace),
    endedBy: first?.endedBy,
    ...(first?.complaint === undefined ? {} : { complaint: first.complaint }),
  }
}

/** Runs k6 in one process or several, and says how far the load has come, every ten seconds where no person watches. */
const runWithProgress = async (
  k6: K6,
  options: Omit<K6Options, 'onLine' | 'segment'>,
  segments: number,
  progress: Progress,
  io: Io,
): Promise<K6Run> => {
  const draw = io.interactive ? io.draw : undefined
  let drawn = false
  const show = (): void => {
    const text = progress.text(Date.now())
    drawn = draw !== undefined
    if (draw === undefined) io.err(`${text}\n`)
    else draw(`\r${text}\u001B[K`)
  }
  const ticker = setInterval(show, draw ? 1_000 : (io.progressEveryMs ?? 10_000))
  const all: K6Options = { ...options, onLine: (line) => progress.see(line) }
  try {
    return await (segments === 1 ? runK6(k6, all, io) : runSegments(k6, all, segments, io))
  } finally {
    clearInterval(ticker)
    if (drawn) draw?.('\n')
  }
}

/** Milliseconds that processes take to begin and to open a session, with room for a busy machine. */
const beginMs = { process: 3000, session: 250 } as const

/** An assignment whose processes begin together. */
const beginTogether = <T extends OnlineAssignment | BatchAssignment | TaskAssignment>(
  assignment: T,
  sessions: number,
): T =>
  assignment.segments === 1
    ? assignment
    : {
        ...assignment,
        startAt:
          Date.now() +
          assignment.segments * beginMs.process +
          Math.ceil(sessions / assignment.segments) * beginMs.session,
      }

export interface Prepared {
  readonly assignment: OnlineAssignment | BatchAssignment | TaskAssignment
  /** Sessions that k6 opens before the load begins. */
  readonly sessions: number
  readonly progress: Progress
  /** Directory of the stored run. */
  readonly folder: string
}

export const carryOut = async (
  {
    findK6,
    directory,
    segments,
    target,
  }: Pick<LoadSetup, 'findK6' | 'directory' | 'segments' | 'target'>,
  { assignment, sessions, progress, folder }: Prepared,
  { k6Out = [], k6Dashboard = false }: Pick<LoadArgs, 'k6Out' | 'k6Dashboard'>,
  io: Io,
): Promise<K6Run> => {
  const k6 = await findK6()
  io.err(`k6 ${k6.version} (${k6.source})\n`)
  makeDirectory(folder)
  const file = path.join(directory, 'assignment.json')
  const timed = beginTogether(assignment, sessions)
  await writeFile(file, JSON.stringify(timed), { mode: 0o600 })
  const options = {
    assignment: file,
    network: await networkOf(target.profile, directory, io.env),
    thresholds: Object.keys(assignment.abortOn).length > 0,
    arguments: k6Out.flatMap((output) => ['--out', output]),
    ...(k6Dashboard ? { dashboard: folder } : {}),
  }
  return runWithProgress(k6, options, segments, progress, io)
}
