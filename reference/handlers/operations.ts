import { keyOf } from '../model/entities.ts'
import type { Handlers } from '../call/call.ts'
import { refuse } from '../base/refusals.ts'

/** Status of asynchronous operations. Source: gap operation-status. */
export const operationsHandlers = {
  'operations.status': ({ service, caller, path, now }) => {
    const { policy } = service
    const operation = service.state.operations.get(path.referenceNumber)
    if (
      operation === undefined ||
      !policy.operationVisible(keyOf(operation.context), keyOf(caller.context))
    ) {
      throw refuse('operation-unknown')
    }
    if (!policy.statusKept(now - operation.startedAt, service.limit('retention.operationDays')))
      throw refuse('resource-gone')
    return { body: { status: operation.status } }
  },
} satisfies Handlers<'operations'>
