import type { OperationId } from '../../../contract/endpoints.ts'
import type { AnyCall, Answer } from '../../call/call.ts'
import type { Mutant } from '../mutant.ts'
import { underWay } from '../under-way.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Calls at the same time that get in each other's way. */

const rows: Partial<Readonly<Record<OperationId, Rules>>> = {
  'invoices.submit': ['invoices.submit.accepted'],
  'sessions.openOnline': ['sessions.online.side-by-side'],
  'invoices.bySvcNumber': ['invoices.get.by-service-number'],
  'tokens.create': ['tokens.status.described'],
  'permissions.grantPerson': ['permissions.grant.effective'],
  'permissions.revoke': ['permissions.revoke.effective'],
}

/** What a call is about is kept where the next one, which comes in meanwhile, overwrites it. */
const sharedParameters = (operation: OperationId): Mutant => {
  let latest: Pick<AnyCall, 'path' | 'body'> = { path: {}, body: undefined }
  return {
    at: [operation],
    async call(call, next) {
      latest = call
      await underWay()
      const { path, body } = latest
      return next({ ...call, path, body })
    },
  }
}

/** What an operation answers is kept where the next call, which is done meanwhile, overwrites it. */
const sharedAnswer = (operation: OperationId): Mutant => {
  let latest: Answer | undefined
  return {
    at: [operation],
    async call(call, next) {
      const answer = await next(call)
      latest = answer
      await underWay()
      return latest
    },
  }
}

/** Of a grant or a revocation nothing but its own operation shows which answer it got. */
const showsItsAnswer = (operation: OperationId): boolean => !operation.startsWith('permissions.')

/** Every operation of which several calls at the same time succeed, each in its own way. */
export const overlappingCalls = (): Generated[] =>
  (Object.entries(rows) as [OperationId, Rules][]).flatMap(([operation, rules]) => [
    generated('overlap', `${operation}.shared-parameters`, rules, sharedParameters(operation)),
    ...(showsItsAnswer(operation)
      ? [generated('overlap', `${operation}.shared-answer`, rules, sharedAnswer(operation))]
      : []),
  ])
