import { mayWaitForRoom } from './waiting.ts'

/** How long a run waits for room within the rate limits of its target. */
export interface Patience {
  /** Whether a wait is within it; if so, it is used up by as much. */
  grants(ms: number): boolean | Promise<boolean>
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

/** Patience for the running check: none where it would be used up for nothing. */
export const ofCheck = (patience: Patience): Patience => ({
  grants: (ms) => (ms <= shortWait || mayWaitForRoom()) && patience.grants(ms),
})

/** Where time is turned, waiting costs nothing. */
export const endlessPatience: Patience = { grants: () => true }
