import { opensContexts } from '../../lib/node/target.ts'
import type { TargetProfile } from '../../lib/node/target.ts'
import type { Shard } from './selection.ts'

/**
 * The profile for one part of a run. Parts run side by side, on machines that cannot share a pacer; where all of them
 * work in the same contexts, each keeps to its part of every limit.
 */
export const ofShard = (profile: TargetProfile, shard: Shard | undefined): TargetProfile => {
  const { pacingShare = 1 } = profile
  return shard === undefined || opensContexts(profile)
    ? profile
    : { ...profile, pacingShare: pacingShare / shard.of }
}
