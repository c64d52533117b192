import { cacheFolder } from '../lib/node/cache-folder.ts'
import { callMemoryOf } from '../lib/node/call-memory.ts'
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

/**
 * Waits until the windows of a minute are empty, where a run shares its contexts with the one before: its plan counts on
 * that, and without patience nothing in it waits so long.
 */
export const beginAfterEarlier = async (profile: TargetProfile, io: Io): Promise<void> => {
  if (opensContexts(profile)) return
  const { earlier = {} } = callMemoryOf(profile, cacheFolder(io.env)) ?? {}
  const last = Math.max(0, ...Object.values(earlier).flatMap((times) => times.at(-1) ?? []))
  await beginAt(last + 60_000, 'calls of an earlier run in the same context still count', io)
}
