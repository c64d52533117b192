import { notOffered } from './not-offered.ts'
import { shortWait } from './patience.ts'
import type { Target } from './target.ts'
import { pause } from './waiting.ts'
import { sleep } from '../../lib/poll.ts'

/** The target's clock for one check; it is restored afterwards. */
export interface CheckClock {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Advances the clock; where it cannot be moved, waits up to 15 s. */
  advance(ms: number): Promise<void>
  /** Lets up to this much time pass, where what follows holds at any time: a second where the clock cannot be moved. */
  pass(ms: number): Promise<void>
  /** How often the check has waited because it cannot be moved. */
  readonly waits: number
  /** Whether it can be moved: what needs that is left out of a check whose claim holds without it. */
  readonly moves: boolean
  /** Sets the clock to an instant, Unix milliseconds; where it cannot be moved, waits for up to 15 s. */
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

export const createCheckClock = (
  target: Pick<Target, 'management' | 'embedded' | 'now'>,
): CheckClock => {
  const { management, embedded } = target
  let moved = 0
  let frozen = false
  let waits = 0
  let begun: { readonly real: number; readonly service: number } | undefined

  /** Short times pass by themselves where the clock cannot be moved. */
  const waited = async (ms: number): Promise<boolean> => {
    if (management !== undefined || ms < 0 || ms > shortWait) return false
    waits += 1
    await pause(ms)
    return true
  }

  const required = () => {
    if (management === undefined) throw notOffered('clock')
    begun ??= { real: Date.now(), service: management.now() }
    return management
  }

  const advance = async (ms: number): Promise<void> => {
    if (await waited(ms)) return
    await required().set(target.now() + ms)
    moved += 1
  }

  return {
    now: target.now,
    moves: management !== undefined,
    get waits() {
      return waits
    },
    advance,
    pass: (ms) => advance(management === undefined ? idleMs : ms),
    async set(instant) {
      if (await waited(instant - target.now())) return
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
