import { readFileSync } from 'node:fs'
import type { Thresholds } from '../../lib/windows.ts'
import { keyOfCheck } from './chosen.ts'
import type { ChosenCheck } from './chosen.ts'
import { runOptions } from './run-options.ts'

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

/** A check, as the run's file of claims names it. */
export interface ClaimingCheck extends ChosenCheck {
  readonly claims: readonly Claim[]
}

const read = (file: string): ReadonlyMap<string, readonly Claim[]> => {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly ClaimingCheck[]
  return new Map(rows.map((row) => [keyOfCheck(row), row.claims]))
}

let known: ReadonlyMap<string, readonly Claim[]> | undefined

/** What the plan of the run knows of a check. */
export const plannedClaims = (check: ChosenCheck): readonly Claim[] => {
  if (runOptions.claims === undefined) return []
  known ??= read(runOptions.claims)
  return known.get(keyOfCheck(check)) ?? []
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
