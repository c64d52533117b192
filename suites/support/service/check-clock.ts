import type { Management } from './management.ts'
import { notOffered } from '../run/not-offered.ts'
import { shortWait } from '../run/patience.ts'
import type { Target } from './target.ts'
import { pause } from '../run/waiting.ts'
import { sleep } from '../../../lib/poll.ts'

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
   * Stops the clock after a second without calls, those of earlier checks included, so that exact counts of one second
   * can be made. Where the clock cannot be moved, waits that second and lets it tick.
   * @returns whether the clock stands still
   */
  still(): Promise<boolean>
  restore(): Promise<void>
}

const idleMs = 1_100

/** Times that a clock showed, Unix milliseconds, the last one included. */
type Span = readonly [from: number, until: number]

/** What the clocks of targets showed in earlier checks, and will show again because they were set back. */
const again = new WeakMap<Management, readonly Span[]>()

/** The first instant from this one on before which no earlier check was there for a second. */
const unvisited = (spans: readonly Span[], instant: number): number =>
  spans
    .toSorted((one, other) => one[0] - other[0])
    .reduce(
      (first, [from, until]) => (from <= first && first < until + idleMs ? until + idleMs : first),
      instant,
    )

export const createCheckClock = (
  target: Pick<Target, 'management' | 'embedded' | 'now'>,
): CheckClock => {
  const { management, embedded } = target
  let frozen = false
  let waits = 0
  /** Since when the clock shows what it does without a move, and what it showed before each of them. */
  let since = target.now()
  const spans: Span[] = []
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

  const move = async (instant: number): Promise<void> => {
    const port = required()
    spans.push([since, target.now()])
    await port.set(instant)
    since = instant
  }

  const advance = async (ms: number): Promise<void> => {
    if (await waited(ms)) return
    await move(target.now() + ms)
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
      await move(instant)
    },
    async still() {
      if (management === undefined) {
        await sleep(idleMs)
        return false
      }
      await required().freeze(true)
      frozen = true
      const earlier = again.get(management) ?? []
      await management.advance(unvisited(earlier, target.now() + idleMs) - target.now())
      return true
    },
    async restore() {
      // An embedded reference is reset as a whole at the end of the check (suites/support/harness/judging.ts).
      if (management === undefined || begun === undefined || embedded) return
      if (frozen) await management.freeze(false)
      // A clock that only ran ahead while the check waited keeps its time: moved back, it would meet the limits again
      // that the check waited for.
      if (spans.length === 0) return
      spans.push([since, target.now()])
      const back = begun.service + (Date.now() - begun.real)
      await management.set(back)
      const ahead = [...(again.get(management) ?? []), ...spans]
      again.set(
        management,
        ahead.filter(([, until]) => until > back),
      )
    },
  }
}
