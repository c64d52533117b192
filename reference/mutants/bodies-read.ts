import type { OperationId } from '../../contract/endpoints.ts'
import { refusedTooLate } from './callers.ts'
import type { Mutant } from './mutant.ts'

/** What becomes of a body of JSON that was read. */

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
