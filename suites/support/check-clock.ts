import { notOffered } from './not-offered.ts'
import type { Target } from './target.ts'
import { sleep } from '../../lib/poll.ts'

/** The target's clock for one check; it is restored afterwards. */
export interface CheckClock {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Advances the clock. */
  advance(ms: number): Promise<void>
  /** Sets the clock to an instant, Unix milliseconds. */
  set(instant: number): Promise<void>
  /**
   * Stops the clock after a second without calls, so that exact counts of one second can be made. Where the clock
   * cannot be moved, waits that second and lets it tick.
   * @returns whether the clock stands still
   */
  still(): Promise<boolean>
  restore(): Promise<void>
}

const idleMs = 1_100

export const createCheckClock = (target: Target): CheckClock => {
  const { management, embedded } = target
  let moved = 0
  let frozen = false
  let begun: { readonly real: number; readonly service: number } | undefined

  const required = () => {
    if (management === undefined) throw notOffered('clock')
    begun ??= { real: Date.now(), service: management.now() }
    return management
  }

  return {
    now: target.now,
    async advance(ms) {
      await required().set(target.now() + ms)
      moved += 1
    },
    async set(instant) {
      await required().set(instant)
      moved += 1
    },
    async still() {
      if (management === undefined) {
        await sleep(idleMs)
        return false
      }
      await required().freeze(true)
      frozen = true
      await management.advance(idleMs)
      return true
    },
    async restore() {
      // An embedded reference is reset as a whole at the end of the check (suites/support/judging.ts).
      if (management === undefined || begun === undefined || embedded) return
      if (frozen) await management.freeze(false)
      // A clock that only ran ahead while the check waited keeps its time: moved back, it would meet the limits again
      // that the check waited for.
      if (moved > 0) await management.set(begun.service + (Date.now() - begun.real))
    },
  }
}
