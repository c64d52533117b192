import { environments } from '../../contract/environments.ts'
import type { Capability } from '../../contract/types.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import { runOptions } from './run-options.ts'

/** What a target offers, and what it confirms, as its profile says. */

const everything: readonly Capability[] = [
  'clock',
  'testdata',
  'token',
  'second',
  'ips',
  'rotate',
  'env',
  'provoke',
  'hostile',
  'bulk',
]

const managed: readonly Capability[] = ['clock', 'second']

/** Whether a target confirms the assumption behind a gap. */
export const confirmation = (profile: TargetProfile, embedded: boolean) => (gap: string) => {
  if (embedded || profile.assumptions === true) return true
  return profile.assumptions?.[gap] === true
}

/** What may be done with a target. */
export const capabilitiesOf = (profile: TargetProfile, embedded: boolean): Set<Capability> => {
  const environment = profile.environment ?? 'test'
  const given = new Set<Capability>(profile.capabilities)
  if (embedded) for (const capability of everything) given.add(capability)
  // An hour of a clock that is turned proves a check, but says nothing about an hour of real time.
  if (embedded && runOptions.mutants !== undefined) given.add('long')
  // Self-signed seals open as many contexts as one likes.
  if (environments[environment].selfSigned || (profile.contexts?.length ?? 0) > 1)
    given.add('second')
  if (profile.contexts?.some(({ token }) => token !== undefined)) given.add('token')
  // A management port turns the clock, and makes contexts.
  if (profile.management !== undefined) for (const one of managed) given.add(one)
  if (Object.keys(profile.elsewhere ?? {}).length > 0) given.add('env')
  return given
}
