import { takesOwnContexts } from '../../../lib/node/target.ts'
import type { TargetProfile } from '../../../lib/node/target.ts'

/** How many checks may run on a target at the same time. */

/** Why checks have to run one after the other; undefined where they need not. */
export const onlyOneBecause = (profile: TargetProfile): string | undefined => {
  if (profile.management !== undefined)
    return 'the clock of this target can be moved for one check at a time only'
  // If no more contexts can be opened, a check would see in its own context what others do.
  if (!takesOwnContexts(profile)) return 'the checks share the contexts of the profile'
  return undefined
}

/** Number of workers if the run does not state one. */
export const defaultWorkers = (profile: TargetProfile | undefined): number => {
  if (profile === undefined) return 2
  // A run that provokes a target's limits has to be alone with it.
  const provokes = profile.capabilities?.includes('provoke') === true
  return provokes || onlyOneBecause(profile) !== undefined ? 1 : 2
}
