import type { OperationId } from '../../contract/endpoints.ts'
import { refuse } from '../base/refusals.ts'
import { refusedTooLate } from './callers.ts'
import type { Mutant } from './mutant.ts'

/** What becomes of a body, by its media type and by what it was read as. */

/** Bodies are compared with their schema only after what they ask for was done. */
export const checkedTooLate = (at: readonly OperationId[]): Mutant => {
  let isWrong = false
  return {
    at,
    policy: {
      violationsRefuse(violations) {
        isWrong = violations > 0
        return false
      },
    },
    ...refusedTooLate('invalid-input', () => isWrong),
  }
}

/** Refuses some spellings of media types. */
export const refusesMedia = (isRefused: (media: string) => boolean): Mutant => ({
  exchange(running, next) {
    if (isRefused(running.headers['content-type'] ?? '')) throw refuse('media-type')
    return next(running)
  },
})
