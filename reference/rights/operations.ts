import type { AnyCall, Answer, ProtectedCall } from '../call/call.ts'
import type { Service } from '../call/service.ts'
import type { Grant, OperationTask } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import { grantProblem } from './grants.ts'
import type { Status } from '../base/refusals.ts'
import { statusOf } from '../base/refusals.ts'

/** Asynchronous operations on permissions: started by a call, finished by the clock. Source: gap operation-status. */

/** How long the work of an operation takes, ms. */
const operationDelay = 60

const inProgress: Status = { code: 100, description: 'in progress' }
const finished: Status = { code: 200, description: 'finished' }

/** Starts an operation in the context of the caller and returns its reference. */
export const startOperation = (call: ProtectedCall, task: OperationTask): Answer => {
  const { service, caller, now } = call
  const referenceNumber = service.identifiers.reference('EG')
  service.state.operations.put({
    referenceNumber,
    context: caller.context,
    startedAt: now,
    task,
    status: inProgress,
  })
  service.schedule.later('operation', referenceNumber, operationDelay)
  return { body: { referenceNumber } }
}

const same = (a: Grant, b: Grant): boolean =>
  a.kind === b.kind &&
  a.permission === b.permission &&
  keyOf(a.subject) === keyOf(b.subject) &&
  a.target?.value === b.target?.value &&
  a.canDelegate === b.canDelegate

/** Puts grants in force; one that is in force already is not given twice. */
export const putGrants = (
  service: Service,
  grants: readonly Grant[],
  startsAt: AnyCall['now'],
): void => {
  for (const grant of grants) {
    const given = service.state.grants
      .by('context', keyOf(grant.context))
      .some((known) => known.revokedAt === undefined && same(known, grant))
    if (!given) service.state.grants.put({ ...grant, startsAt })
  }
}

/** Finishes an operation that is in progress. */
export const finishOperation = (service: Service, reference: string): void => {
  const operation = service.state.operations.get(reference)
  if (operation === undefined || operation.status.code !== 100) return
  const status = outcome(service, operation.task)
  service.state.operations.put({ ...operation, status })
  service.journal.add('state', { of: 'operation', reference, code: status.code })
}

const outcome = (service: Service, task: OperationTask): Status => {
  const { state, policy, dialect, clock } = service
  if (task.kind === 'grant') {
    for (const grant of task.grants) {
      const problem = grantProblem(service, grant)
      if (problem)
        return { ...statusOf('grant-refused', dialect, problem.detail), code: problem.code }
    }
    putGrants(service, task.grants, clock.now())
    return finished
  }
  const grant = state.grants.get(task.permissionId)
  if (grant === undefined) return finished
  if (policy.revokedBefore(grant.revokedAt)) {
    return statusOf('permission-already-revoked', dialect)
  }
  state.grants.put({ ...grant, revokedAt: clock.now() })
  return finished
}
