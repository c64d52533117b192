import { cacheFolder } from '../lib/node/cache-folder.ts'
import { callMemoryOf } from '../lib/node/call-memory.ts'
import type { CountedCalls } from '../lib/pacer.ts'
import { opensContexts } from '../lib/node/target.ts'
import type { TargetProfile } from '../lib/node/target.ts'
import type { Io } from './io.ts'
import { interrupted } from './io.ts'
import { formatDuration } from './plan/duration.ts'

/** A wait that is shorter than this is not worth a word, ms. */
const briefMs = 5_000

/**
 * Waits until a run may begin, and says why it does not begin at once.
 * @param at Unix milliseconds
 * @throws {Explained} when the user interrupts the wait
 */
export const beginAt = async (at: number, reason: string, io: Io): Promise<void> => {
  const ms = at - Date.now()
  if (ms <= 0) return
  const clock = new Date(at).toISOString().slice(11, 19)
  if (ms > briefMs) io.err(`${reason}: this run begins in ${formatDuration(ms)}, at ${clock} UTC\n`)
  const { signal } = io
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(interrupted('interrupted before the run began'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** Calls of earlier runs that still count in the contexts that a run shares with them. */
export interface EarlierCalls {
  readonly calls: CountedCalls
  /** When the windows of a minute are empty of them, or now, Unix milliseconds. */
  readonly beginAt: number
}

export const nothingEarlier: EarlierCalls = { calls: {}, beginAt: 0 }

/** What earlier runs called where a run shares its contexts with them. */
export const earlierCallsAt = (profile: TargetProfile, { env }: Io): EarlierCalls => {
  if (opensContexts(profile)) return nothingEarlier
  const { earlier: calls = {} } = callMemoryOf(profile, cacheFolder(env)) ?? {}
  const last = Math.max(0, ...Object.values(calls).flatMap((times) => times.at(-1) ?? []))
  return { calls, beginAt: Math.max(Date.now(), last + 60_000) }
}

/** Waits until the windows of a minute are empty: without patience nothing in a run waits so long. */
export const beginAfterEarlier = (earlier: EarlierCalls, io: Io): Promise<void> =>
  beginAt(earlier.beginAt, 'calls of an earlier run in the same context still count', io)
