import { createPlaces, paceBy } from '../../../lib/pacer.ts'
import type { KnownCalls, Pacer, PacerOptions, SharedPlaces } from '../../../lib/pacer.ts'
import type { Thresholds } from '../../../lib/windows.ts'
import { NotOffered } from './not-offered.ts'
import type { Patience, RoomWait } from './patience.ts'
import { claimRoom } from './room.ts'

/** Pacers of one target, one for each source address. */
export interface Pacing {
  readonly from: (address?: string) => Pacer
  /** What the target counts of a caller under a rate rule. */
  readonly counted: (subject: string, rule: string, thresholds: Thresholds) => Promise<KnownCalls>
  /**
   * Waits for room within the limit of a rate rule.
   * @throws {NotOffered} when the run has no patience left for it
   */
  readonly rest: (ms: number, rule: string) => Promise<void>
  /** Forgets what was counted: moving the clock makes it meaningless. */
  readonly clear: () => void
}

export interface PacingOptions extends Required<PacerOptions> {
  /** Whether the rate limits are switched off at the moment. */
  readonly unlimited: () => boolean
  readonly patience: Patience
  /** Reports a wait that a person may notice. */
  readonly waits?: ((wait: RoomWait) => Promise<void>) | undefined
  /** The places that this worker shares with others, by source address; its own when absent. */
  readonly shared?: ((address: string) => SharedPlaces) | undefined
}

/** A person notices waits from here on, ms. */
const noticedWait = 2_000

/** Creates the pacers of a target. */
export const createPacing = ({
  now,
  sleep,
  unlimited,
  patience,
  waits,
  marginMs,
  shared = () => createPlaces({ now, marginMs }),
}: PacingOptions): Pacing => {
  let waitsUntil = 0
  const turn = async (ms: number, limit: string): Promise<void> => {
    // Calls that wait at the same time use up the patience only once.
    const from = Math.max(now(), waitsUntil)
    const until = now() + ms
    const granted = ms <= 0 || (await patience.grants(Math.max(0, until - from)))
    if (!granted)
      throw new NotOffered(
        `the target does not offer: room within its rate limit ${limit}; --patience lets a run wait for it`,
      )
    waitsUntil = Math.max(waitsUntil, until)
    if (ms > noticedWait) await waits?.({ limit, until })
    await sleep(ms)
  }
  const waitForAll = (places: SharedPlaces, subject: string): Promise<void> =>
    claimRoom(subject, async (claims) => {
      const times = await Promise.all(
        claims.map(async ({ rule, thresholds, calls }) => ({
          rule,
          time: await places.room(subject, rule, thresholds, calls),
        })),
      )
      const last = times.reduce((one, other) => (other.time > one.time ? other : one))
      await turn(Math.max(0, last.time - now()), last.rule)
    })
  const all = new Map<string, SharedPlaces>()
  // Asked for anew at every call, because they may have been cleared since.
  const placesOf = (address = ''): SharedPlaces => {
    const places = all.get(address) ?? shared(address)
    all.set(address, places)
    return places
  }
  return {
    from: (address) => ({
      async wait(subject, rule, thresholds) {
        const places = placesOf(address)
        if (unlimited()) return places.note(subject, rule, thresholds)
        // Public calls count for the address, per second only.
        if (thresholds.perHour !== undefined) await waitForAll(places, subject)
        const pacer = paceBy(places, { now, sleep: (ms) => turn(ms, rule) })
        return pacer.wait(subject, rule, thresholds)
      },
      note: (...call) => placesOf(address).note(...call),
      answered: (ticket) => placesOf(address).answered(ticket),
      refused: (...call) => placesOf(address).refused(...call),
    }),
    counted: async (...whose) => placesOf().known(...whose),
    rest: turn,
    clear: () => all.clear(),
  }
}
