import { mayWaitForRoom, plannedUntilNow } from './waiting.ts'

/** How long a run waits for room within the rate limits of its target. */
export interface Patience {
  /**
   * Whether there is patience left for a wait; if so, the wait uses it up.
   * @param plannedMs what the run was to take until now without its long waits
   */
  grants(ms: number, plannedMs?: number): boolean | Promise<boolean>
}

/** A wait for room within a rate limit. */
export interface RoomWait {
  /** The rate rule, or for the default rule the operation. */
  readonly limit: string
  /** Unix milliseconds. */
  readonly until: number
}

/** Waits up to this are part of every run, ms: the windows of a second, and the rest of one of a minute. */
export const shortWait = 15_000

/**
 * Patience for longer waits, milliseconds in all. A run that is faster than its plan waits the longer for the same room;
 * that uses up no patience, because it ends no later.
 */
export const createPatience = (totalMs: number, now: () => number = Date.now): Patience => {
  const begun = now()
  let left = totalMs
  return {
    grants(ms, plannedMs = 0) {
      if (ms <= shortWait) return true
      const late = now() - begun + ms - plannedMs
      if (ms > left && (totalMs === 0 || late > totalMs)) return false
      left = Math.max(0, left - ms)
      return true
    },
  }
}

/** Patience for the running check; none for a check that would have to wait longer anyway. */
export const ofCheck = (patience: Patience): Patience => ({
  grants: (ms) => (ms <= shortWait || mayWaitForRoom()) && patience.grants(ms, plannedUntilNow()),
})

/** Where the clock can be moved, waiting costs nothing. */
export const endlessPatience: Patience = { grants: () => true }
