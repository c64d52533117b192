import type { Capability } from '../../../contract/types.ts'
import { takesOwnContexts } from '../../../lib/node/target.ts'
import type { TargetProfile } from '../../../lib/node/target.ts'
import { runOptions } from '../checks/run-options.ts'

/** The capabilities and confirmed assumptions of a target, from its profile. */

const everything: readonly Capability[] = [
  'clock',
  'testdata',
  'token',
  'second',
  'fresh',
  'ips',
  'rotate',
  'env',
  'provoke',
  'hostile',
  'bulk',
]

const managed: readonly Capability[] = ['clock', 'second', 'failures']

/** Whether a target confirms the assumption behind a gap. */
export const confirmation = (profile: TargetProfile, embedded: boolean) => (gap: string) => {
  if (embedded || profile.assumptions === true) return true
  return profile.assumptions?.[gap] === true
}

/** The capabilities of a target. */
export const capabilitiesOf = (profile: TargetProfile, embedded: boolean): Set<Capability> => {
  const given = new Set<Capability>(profile.capabilities)
  if (embedded) for (const capability of everything) given.add(capability)
  // An hour of simulated time proves a check, but not the behaviour over an hour of real time.
  if (embedded && runOptions.mutants !== undefined) given.add('long')
  // Self-signed seals open any number of contexts. Those of a management port have a certificate from the start.
  const own = takesOwnContexts(profile)
  if (own || (profile.contexts?.length ?? 0) > 1) given.add('second')
  if (own) given.add('fresh')
  if (profile.contexts?.some(({ token }) => token !== undefined)) given.add('token')
  // A management port sets the clock, creates contexts and has work fail or take time.
  if (profile.management !== undefined) for (const one of managed) given.add(one)
  if (Object.keys(profile.elsewhere ?? {}).length > 0) given.add('env')
  return given
}
