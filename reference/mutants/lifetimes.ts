import { dayOf } from '../base/identifiers.ts'
import { utc } from '../base/wording.ts'
import type { Mutant } from './mutant.ts'
import { bodies } from './rewrite.ts'
import { challengeIn } from './signed-documents.ts'
import { day, minute } from './spans.ts'

/** Lifetimes that are counted from another moment, or not looked at as often as they have to be. */

type Alive = (expiresAt: number, now: number) => boolean

/** What was alive is taken for alive for five minutes more. */
export const foundAliveBefore = (isAlive: Alive): Alive => {
  const seen = new Map<number, number>()
  return (expiresAt, now) => {
    const last = seen.get(expiresAt)
    if (isAlive(expiresAt, now)) seen.set(expiresAt, now)
    return last !== undefined && now >= last && now - last < 5 * minute
      ? true
      : isAlive(expiresAt, now)
  }
}

/** Times of day are compared, without their days; of a clock that is ahead of UTC. */
export const byTimeOfDay = (aheadMs: number): Alive => {
  const timeOf = (at: number): number => (at + aheadMs) % day
  return (expiresAt, now) => timeOf(now) < timeOf(expiresAt)
}

/** Whether two instants lie on one day, by the calendars that a service may count days in. */
export const onOneDay = {
  Warsaw: (one: number, other: number): boolean => dayOf(one) === dayOf(other),
  UTC: (one: number, other: number): boolean => Math.floor(one / day) === Math.floor(other / day),
} as const

/** The end that is stated of an authentication token is that of the challenge. */
export const statedUntilTheChallengeEnds = (operation: 'auth.xades' | 'auth.token'): Mutant =>
  bodies<{ readonly authenticationToken: object }>(
    [operation],
    ({ authenticationToken }, { bytes, body, service }) => {
      const challenge = service.state.challenges.get(challengeIn(bytes, body))
      const end = (challenge?.issuedAt ?? 0) + service.limit('challenge.lifetime') * 1000
      return { authenticationToken: { ...authenticationToken, validUntil: utc(end) } }
    },
  )
