import { assumptionOf } from '../../../contract/lifecycles.ts'
import type { Outcome } from '../../../lib/outcome.ts'
import { rowOf } from '../checks/rule.ts'
import type { Subject } from '../checks/rule.ts'
import type { Target } from './target.ts'

/**
 * What it means if work never ended. A rule by which it has to end is violated, if the target confirms which states are
 * final; for every other rule a precondition failed.
 */
export const afterTooLong = (
  { confirms }: Pick<Target, 'confirms'>,
  { rule, variant }: Subject,
  outcome: Outcome,
): Outcome => {
  const { unended } = outcome
  const { ends = [] } = rowOf(rule, variant)
  return unended !== undefined && ends.includes(unended) && confirms(assumptionOf[unended])
    ? { ...outcome, kind: 'violated' }
    : outcome
}
