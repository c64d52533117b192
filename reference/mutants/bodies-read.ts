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

/** Descriptions that cannot be stored with a character in them. */
export const failsOver = (character: string): Mutant => ({
  call(call, next) {
    const { description } = (call.body ?? {}) as { readonly description?: unknown }
    if (typeof description === 'string' && description.includes(`before${character}`))
      throw new Error('the text cannot be stored')
    return next(call)
  },
})
