import type { OperationId } from '../../../contract/endpoints.ts'
import { keyOf } from '../../model/entities.ts'
import type { Answer } from '../../call/call.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Operations that take the same request once more for a repetition, and answer as they did the first time. */

const rows: readonly (readonly [OperationId, Rules])[] = [
  ['sessions.openOnline', ['sessions.online.opens']],
  ['sessions.openBatch', ['sessions.batch.opens']],
  ['exports.create', ['exports.create.accepted']],
  ['invoices.submit', ['invoices.submit.accepted', 'invoices.duplicate.rejected']],
]

const answersAgain = (operation: OperationId): Mutant => {
  const given = new Map<string, Answer>()
  return {
    at: [operation],
    async call(call, next) {
      const { caller, path, body } = call
      const asked = JSON.stringify([caller && keyOf(caller.context), path, body])
      const answer = given.get(asked) ?? (await next(call))
      given.set(asked, answer)
      return answer
    },
  }
}

export const repeatedOpenings = (): Generated[] =>
  rows.map(([operation, rules]) => generated('repeated', operation, rules, answersAgain(operation)))
