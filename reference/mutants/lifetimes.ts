import { utc } from '../base/wording.ts'
import type { Mutant } from './mutant.ts'
import { bodies } from './rewrite.ts'
import { challengeIn } from './signed-documents.ts'
import { minute } from './spans.ts'

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
