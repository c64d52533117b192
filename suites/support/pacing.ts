import { createPacer } from '../../lib/pacer.ts'
import type { Pacer, PacerOptions } from '../../lib/pacer.ts'
import type { Thresholds } from '../../lib/windows.ts'
import { NotOffered } from './not-offered.ts'

/** Pacers of one target, one for each source address. */
export interface Pacing {
  readonly from: (address?: string) => Pacer
  /** Forgets what was counted: a turned clock makes it meaningless. */
  readonly clear: () => void
}

export interface PacingOptions extends Required<PacerOptions> {
  /** Whether the rate limits are out of the way at the moment. */
  readonly unlimited: () => boolean
  /** How many workers call from one address. */
  readonly share: number
  /** How long a call may wait for its turn, ms. */
  readonly patience: number
}

/** Makes the pacers of a target. */
export const createPacing = ({
  now,
  sleep,
  unlimited,
  share,
  patience,
  marginMs,
}: PacingOptions): Pacing => {
  const turn = (ms: number): Promise<void> =>
    ms <= patience
      ? sleep(ms)
      : Promise.reject(
          new NotOffered(
            `the target does not offer: room within its rate limits (the next call would wait ${Math.ceil(ms / 1000)} s)`,
          ),
        )
  const pacers = new Map<string, Pacer>()
  // Public calls count by address, and they alone have no threshold but that of a second.
  const shared = (thresholds: Thresholds): Thresholds =>
    share === 1 || thresholds.perMinute !== undefined
      ? thresholds
      : { perSecond: Math.floor((thresholds.perSecond ?? share) / share) }
  return {
    from: (address = '') => {
      // Asked for anew at every call, because they may have been cleared since.
      const current = () => {
        const pacer = pacers.get(address) ?? createPacer({ now, sleep: turn, marginMs })
        pacers.set(address, pacer)
        return pacer
      }
      return {
        wait: (subject, rule, thresholds) =>
          unlimited()
            ? Promise.resolve(current().note(subject, rule, thresholds))
            : current().wait(subject, rule, shared(thresholds)),
        note: (...call) => current().note(...call),
        answered: (ticket) => current().answered(ticket),
        refused: (...call) => current().refused(...call),
      }
    },
    clear: () => pacers.clear(),
  }
}
