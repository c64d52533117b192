import type { Thresholds } from '../../../lib/windows.ts'

/**
 * Room within the rate limits for all calls of a check: a check that opened a session and then waited an hour before
 * the call that closes it would find the session ended. A worker runs one check at a time.
 */

/** Calls that a check makes against one rate rule, for each of its contexts. */
export interface Claim {
  readonly rule: string
  readonly thresholds: Thresholds
  readonly calls: number
}

let claims: readonly Claim[] = []
let waits = new Map<string, Promise<void>>()

/** Called when a check starts; states how much room it needs. */
export const startClaiming = (ofCheck: readonly Claim[]): void => {
  claims = ofCheck
  waits = new Map()
}

/** Waits once for all the room that the running check needs for a caller: before its first call that counts for it. */
export const claimRoom = (
  subject: string,
  wait: (claims: readonly Claim[]) => Promise<void>,
): Promise<void> => {
  const begun = waits.get(subject)
  if (begun !== undefined) return begun
  const waiting = claims.length === 0 ? Promise.resolve() : wait(claims)
  waits.set(subject, waiting)
  return waiting
}
