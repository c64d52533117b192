import type { OperationId } from '../../contract/endpoints.ts'
import type { Mutant } from './mutant.ts'
import { lists } from './rewrite.ts'

/** Pages that lose their last entry. */
export const losesLast = (operation: OperationId, list: string): Mutant =>
  lists([operation], list, (entries) => (entries.length > 1 ? entries.slice(0, -1) : entries))

/** A mutant whose decisions know whether a later page of a list is asked for. */
export const onLaterPages = (
  at: NonNullable<Mutant['at']>,
  decisions: (later: () => boolean) => NonNullable<Mutant['policy']>,
): Mutant => {
  let later = false
  return {
    at,
    call(call, next) {
      later = call.headers['x-continuation-token'] !== undefined
      return next(call)
    },
    policy: decisions(() => later),
  }
}
