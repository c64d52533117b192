import type { OperationId } from '../../../contract/endpoints.ts'
import type { Mutant } from '../mutant.ts'
import type { Opened } from '../session-views.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** After a refusal the next call of the caller is refused as well, whatever it is. */
const refusedOnceMore = (operation: OperationId): Mutant => {
  const refusals = new Map<string, Response>()
  return {
    async exchange(running, next) {
      if (running.exchange.operation !== operation) return next(running)
      const caller = `${running.address} ${running.path}`
      const before = refusals.get(caller)
      refusals.delete(caller)
      if (before !== undefined) return before
      const response = await next(running)
      if (response.status === 400) refusals.set(caller, response.clone())
      return response
    },
  }
}

/** After a refusal the next session that the context opens has already failed. */
const opensFailed = (operation: OperationId): Mutant => {
  const refused = new Set<string>()
  return {
    at: [operation],
    async call(call, next) {
      const context = JSON.stringify(call.caller?.context)
      try {
        const answer = await next(call)
        const { sessions } = call.service.state
        const session = sessions.get((answer.body as Opened).referenceNumber)
        if (refused.delete(context) && session !== undefined)
          sessions.put({ ...session, status: { code: 415, description: 'no key' } })
        return answer
      } catch (error) {
        refused.add(context)
        throw error
      }
    },
  }
}

const rows = {
  'auth.xades': ['auth.xades.accepted'],
  'auth.token': ['auth.token.accepted'],
  'sessions.openOnline': ['sessions.online.opens'],
  'sessions.openBatch': ['sessions.batch.opens'],
  'invoices.submit': ['invoices.submit.accepted'],
  'queries.metadata': ['queries.metadata.described'],
  'exports.create': ['exports.create.accepted'],
  'tokens.create': ['tokens.create.within-rights'],
  'permissions.grantPerson': ['permissions.grant.effective'],
} as const satisfies Partial<Record<OperationId, Rules>>

export const refusedAfterRefusals = (): Generated[] => [
  ...(Object.entries(rows) as [OperationId, Rules][]).map(([operation, rules]) =>
    generated('refused-before', operation, rules, refusedOnceMore(operation)),
  ),
  ...(['sessions.openOnline', 'sessions.openBatch'] as const).map((operation) =>
    generated('refused-before', `${operation}.failed`, rows[operation], opensFailed(operation)),
  ),
]
