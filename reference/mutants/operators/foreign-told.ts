import type { OperationId } from '../../../contract/endpoints.ts'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import { Refused, refuse } from '../../base/refusals.ts'
import type { AnyCall } from '../../call/call.ts'
import { reference } from '../callers.ts'
import type { Mutant } from '../mutant.ts'
import { changesWhereRefused } from '../rewrite.ts'
import type { Generated } from './operator.ts'
import { generated } from './operator.ts'
import { rulesOf } from './refusal-rules.ts'

/** What another context owns is refused as unknown, in words that only what exists is refused with. */

const unknown = ['session-unknown', 'export-unknown', 'operation-unknown'] as const

/** The context of what a call names, if there is such a thing. */
const ownerOf = (call: AnyCall): string | undefined => {
  const { sessions, exports, operations } = call.service.state
  const named = reference(call)
  const found = sessions.get(named) ?? exports.get(named) ?? operations.get(named)
  return found?.context.value
}

const words: Readonly<Record<string, (owner: string) => string>> = {
  'owner-named': (owner) => `it belongs to ${owner}`,
  'existence-told': () => 'it belongs to another context',
}

const tells = (operation: OperationId, id: RefusalId, word: (owner: string) => string): Mutant => ({
  ...changesWhereRefused([operation], (call, error) => {
    const owner = ownerOf(call)
    if (error instanceof Refused && error.id === id && owner !== undefined)
      throw refuse(id, word(owner))
  }),
})

/** Each operation on a resource of a context that is invisible to others. */
export const toldOfForeign = (): Generated[] =>
  operationIds.flatMap((operation) => {
    const { bearer, refusals = [], path } = endpoint(operation)
    if (bearer !== 'access' || !path.includes('{referenceNumber}')) return []
    return unknown
      .filter((id) => (refusals as readonly RefusalId[]).includes(id))
      .flatMap((id) => {
        const rule = rulesOf(id, operation)?.find((one) => one.endsWith('.isolated'))
        if (rule === undefined) return []
        return Object.entries(words).map(([what, word]) =>
          generated('foreign-told', `${what}.${operation}`, [rule], tells(operation, id, word)),
        )
      })
  })
