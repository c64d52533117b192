import type { OperationId } from '../../../contract/endpoints.ts'
import type { Mutant } from '../mutant.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** What is asked for again, after it was undone, has no effect. */
const ignoredAgain = (operation: OperationId): Mutant => {
  const asked = new Set<string>()
  return {
    at: [operation],
    call(call, next) {
      const request = JSON.stringify([call.caller?.context, call.body])
      if (asked.has(request)) return {}
      asked.add(request)
      return next(call)
    },
  }
}

const rows = {
  'testdata.productionRateLimits': ['testdata.limit-simulation'],
  'testdata.blockContext': ['testdata.blocks'],
  'testdata.denyAttachments': ['testdata.attachments'],
  'testdata.revoke': ['testdata.permissions'],
  'testdata.removeSubject': ['testdata.entities'],
} as const satisfies Partial<Record<OperationId, Rules>>

export const ignoredTheSecondTime = (): Generated[] =>
  (Object.entries(rows) as [OperationId, Rules][]).map(([operation, rules]) =>
    generated('second-time', `${operation}.ignored`, rules, ignoredAgain(operation)),
  )
