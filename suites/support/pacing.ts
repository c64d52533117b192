import { createPlaces, paceBy } from '../../lib/pacer.ts'
import type { Pacer, PacerOptions, SharedPlaces } from '../../lib/pacer.ts'
import { NotOffered } from './not-offered.ts'
import type { Patience } from './patience.ts'

/** Pacers of one target, one for each source address. */
export interface Pacing {
  readonly from: (address?: string) => Pacer
  /** Forgets what was counted: a turned clock makes it meaningless. */
  readonly clear: () => void
}

export interface PacingOptions extends Required<PacerOptions> {
  /** Whether the rate limits are out of the way at the moment. */
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
    // Calls that wait at the same time take the time once.
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
  const pacers = new Map<string, Pacer>()
  return {
    from: (address = '') => {
      // Asked for anew at every call, because they may have been cleared since.
      const current = () => {
        const pacer = pacers.get(address) ?? paceBy(shared(address), { now, sleep: turn })
        pacers.set(address, pacer)
        return pacer
      }
      return {
        wait: async (...call) => (unlimited() ? current().note(...call) : current().wait(...call)),
        note: (...call) => current().note(...call),
        answered: (ticket) => current().answered(ticket),
        refused: (...call) => current().refused(...call),
      }
    },
    clear: () => pacers.clear(),
  }
}
