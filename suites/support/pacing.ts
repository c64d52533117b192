import { createPlaces, paceBy } from '../../lib/pacer.ts'
import type { Pacer, PacerOptions, SharedPlaces } from '../../lib/pacer.ts'
import { NotOffered } from './not-offered.ts'
import type { Patience } from './patience.ts'
import { claimRoom } from './room.ts'

/** Pacers of one target, one for each source address. */
export interface Pacing {
  readonly from: (address?: string) => Pacer
  /** Forgets what was counted: moving the clock makes it meaningless. */
  readonly clear: () => void
}

export interface PacingOptions extends Required<PacerOptions> {
  /** Whether the rate limits are switched off at the moment. */
  readonly unlimited: () => boolean
  readonly patience: Patience
  /** The places that this worker shares with others, by source address; its own when absent. */
  readonly shared?: ((address: string) => SharedPlaces) | undefined
}

/** Creates the pacers of a target. */
export const createPacing = ({
  now,
  sleep,
  unlimited,
  patience,
  marginMs,
  shared = () => createPlaces({ now, marginMs }),
}: PacingOptions): Pacing => {
  let waitsUntil = 0
  const turn = async (ms: number): Promise<void> => {
    // Calls that wait at the same time use up the patience only once.
    const from = Math.max(now(), waitsUntil)
    const until = now() + ms
    const granted = ms <= 0 || (await patience.grants(Math.max(0, until - from)))
    if (!granted)
      throw new NotOffered(
        'the target does not offer: room within its rate limits; --patience lets a run wait for it',
      )
    waitsUntil = Math.max(waitsUntil, until)
    await sleep(ms)
  }
  const waitForAll = (places: SharedPlaces, subject: string): Promise<void> =>
    claimRoom(subject, async (claims) => {
      const times = await Promise.all(
        claims.map(async ({ rule, thresholds, calls }) =>
          places.room(subject, rule, thresholds, calls),
        ),
      )
      await turn(Math.max(0, ...times.map((time) => time - now())))
    })
  const all = new Map<string, SharedPlaces>()
  return {
    from: (address = '') => {
      // Asked for anew at every call, because they may have been cleared since.
      const current = () => {
        const places = all.get(address) ?? shared(address)
        all.set(address, places)
        return { places, pacer: paceBy(places, { now, sleep: turn }) }
      }
      return {
        async wait(subject, rule, thresholds) {
          const { places, pacer } = current()
          if (unlimited()) return pacer.note(subject, rule, thresholds)
          // Public calls count for the address, per second only.
          if (thresholds.perHour !== undefined) await waitForAll(places, subject)
          return pacer.wait(subject, rule, thresholds)
        },
        note: (...call) => current().pacer.note(...call),
        answered: (ticket) => current().pacer.answered(ticket),
        refused: (...call) => current().pacer.refused(...call),
      }
    },
    clear: () => all.clear(),
  }
}
