import { performance } from 'node:perf_hooks'
import { sleep } from '../../lib/poll.ts'
import { notInTime } from './history.ts'
import type { Stage } from './stage.ts'
import { startSubject } from './subject.ts'

/** How a client is run: the examiner starts a command, or a person runs the client. */

export interface Wanted {
  /** How often the client is to run to its end. */
  readonly runs: number
  /** When its time is over, on the clock of `performance`. */
  readonly until: number
  readonly signal: AbortSignal | undefined
}

/** Has the client do its task; returns how each of its runs ended. */
export type Driver = (stage: Stage, wanted: Wanted) => Promise<readonly string[]>

/** How long after it was killed a client is started again, ms. */
const restartAfter = 300
/** A run does not start when less time than this is left, ms. */
const minimumLeft = 500
/** Maximum number of times that a client is started, including restarts after it was killed. */
const maximumStarts = 6

/** Starts a command for each run; one that the conditions kill is started again. */
export const startsCommand =
  (
    command: readonly [string, ...string[]],
    cwd: string,
    env: Readonly<Record<string, string>> = {},
  ): Driver =>
  async (stage, { runs, until, signal }) => {
    const ends: string[] = []
    let finished = 0
    for (let start = 1; start <= maximumStarts && finished < runs; start += 1) {
      const left = until - performance.now()
      if (left < minimumLeft || signal?.aborted === true) break
      const killsBefore = stage.kills()
      const subject = startSubject(command, { ...env, ...stage.environment }, cwd)
      stage.begins(() => subject.kill())
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        subject.kill()
      }, left)
      const end = await subject.ended
      clearTimeout(timer)
      const isKilled = stage.kills() > killsBefore
      stage.ends(isLate ? notInTime : end.words)
      const how = isLate ? 'stopped when its time was over' : isKilled ? 'killed' : end.words
      ends.push(end.stderr === '' ? how : `${how}: ${end.stderr.trim()}`)
      if (isKilled) await sleep(restartAfter)
      else finished += 1
    }
    return ends
  }
