import type { Window } from '../../contract/types.ts'
import type { Plan } from '../../load/plan.ts'

export interface Pace {
  readonly rate: number
  readonly per: Plan['per']
  readonly seconds: number
}

/**
 * Evenly spaced arrivals that stay within the thresholds, with a twentieth to spare: the target counts when a
 * request arrives, not when it was sent.
 */
export const legalPace = (count: number, window: Window): Pace => {
  const perMinute = Math.max(1, Math.floor(window.perMinute * 0.95))
  const perHour = Math.max(1, Math.floor(window.perHour * 0.95))
  if (count <= perHour)
    return { rate: perMinute, per: '1m', seconds: Math.ceil((count * 60) / perMinute) }
  return { rate: perHour, per: '1h', seconds: Math.ceil((count * 3600) / perHour) }
}

/** The pace of a profile, where no limit is in the way. */
export const freePace = (count: number, perSecond: number): Pace => ({
  rate: perSecond,
  per: '1s',
  seconds: Math.ceil(count / perSecond),
})
