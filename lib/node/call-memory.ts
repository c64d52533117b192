import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type { CountedCalls } from '../pacer.ts'
import type { TargetProfile } from './target.ts'

/**
 * Calls that the limits of a target still count when the run that made them is over: the next run in the same context
 * would be refused for them. Kept by this machine for an hour, which is the longest window.
 */

export interface CallMemory {
  /** Calls of earlier runs that still count. */
  readonly earlier: CountedCalls
  /** Keeps the calls of this run beside those of others. */
  keep(calls: CountedCalls): void
}

const hour = 3_600_000

const still = (calls: CountedCalls, now: number): CountedCalls =>
  Object.fromEntries(
    Object.entries(calls)
      .map(([key, times]) => [key, times.filter((at) => at > now - hour)] as const)
      .filter(([, times]) => times.length > 0),
  )

const read = (file: string, now: number): CountedCalls => {
  try {
    return still(JSON.parse(readFileSync(file, 'utf8')) as CountedCalls, now)
  } catch {
    // None, or one that was cut short: the target answers 429 where this forgot something.
    return {}
  }
}

/** Files of targets that nothing was called at for an hour say nothing any more. */
const prune = (folder: string, now: number): void => {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (statSync(file).mtimeMs < now - hour) rmSync(file, { force: true })
  }
}

const merged = (one: CountedCalls, other: CountedCalls): CountedCalls =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => [
      key,
      [...(one[key] ?? []), ...(other[key] ?? [])].toSorted((a, b) => a - b),
    ]),
  )

/**
 * The memory for one target; undefined where runs share no context, or the clock of the target can be moved.
 * @param cache folder that outlives runs
 */
export const callMemoryOf = (
  profile: TargetProfile,
  cache: string,
  now: () => number = Date.now,
): CallMemory | undefined => {
  const { url, contexts = [], management } = profile
  if (management !== undefined || contexts.length === 0) return undefined
  const folder = path.join(cache, 'calls')
  const file = path.join(
    folder,
    `${createHash('sha256').update(url).digest('hex').slice(0, 16)}.json`,
  )
  const begun = now()
  const isShared = (key: string): boolean =>
    contexts.some(({ kind, value }) => key.startsWith(`${kind} ${value} `))
  return {
    earlier: read(file, begun),
    keep(calls) {
      const own = Object.entries(calls)
        .filter(([key]) => isShared(key))
        .map(([key, times]) => [key, times.filter((at) => at >= begun)] as const)
      const added = still(Object.fromEntries(own), now())
      if (Object.keys(added).length === 0) return
      try {
        mkdirSync(folder, { recursive: true })
        const written = `${file}.${process.pid}`
        writeFileSync(written, JSON.stringify(merged(read(file, now()), added)))
        renameSync(written, file)
        prune(folder, now())
      } catch {
        // A folder that cannot be written keeps nothing, and the next run learns from the target's refusals.
      }
    },
  }
}
