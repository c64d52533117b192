import { mayWaitForRoom } from './waiting.ts'

/** How long a run waits for room within the rate limits of its target. */
export interface Patience {
  /** Whether there is patience left for a wait; if so, the wait uses it up. */
  grants(ms: number): boolean | Promise<boolean>
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

/** Patience for longer waits, milliseconds in all. */
export const createPatience = (totalMs: number): Patience => {
  let left = totalMs
  return {
    grants(ms) {
      if (ms <= shortWait) return true
      if (ms > left) return false
      left -= ms
      return true
    },
  }
}

/** Patience for the running check; none for a check that would have to wait longer anyway. */
export const ofCheck = (patience: Patience): Patience => ({
  grants: (ms) => (ms <= shortWait || mayWaitForRoom()) && patience.grants(ms),
})

/** Where the clock can be moved, waiting costs nothing. */
export const endlessPatience: Patience = { grants: () => true }
