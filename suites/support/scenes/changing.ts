import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { RefusalId } from '../../../contract/errors.ts'
import type { Client } from '../../../lib/client.ts'
import { perform, readyCalls } from './calls.ts'
import type { ReadyCall } from './calls/ready-call.ts'
import { expect } from '../judging/matchers.ts'
import { offered } from '../service/offered.ts'
import { leavesNothing } from './remembered.ts'
import type { Stage } from '../callers/stage.ts'

/** Valid calls that would change something, and are refused. */

const isChange = (id: OperationId): boolean => {
  const { bearer, method } = endpoint(id)
  // Operations that end a login or change limits have checks of their own.
  return bearer === 'access' && method !== 'GET' && !/query|^(testdata|auth|queries)\./i.test(id)
}

/** Operations that change something and take an access token. */
export const changing: readonly OperationId[] = operationIds.filter(isChange)

/** Valid calls of operations, made ready by one who may make them. */
export const readyChanges = (
  stage: Stage,
  operations: readonly OperationId[],
): Promise<ReadonlyMap<OperationId, ReadyCall>> => readyCalls(stage, offered(...operations))

/**
 * Makes valid calls as a caller who may not make them, and checks whether they left anything behind.
 * @param owner sees what the calls would change
 * @throws {Inconclusive} when it cannot look
 */
export const expectNothingDone = async (
  owner: Client,
  caller: Client,
  ready: ReadonlyMap<OperationId, ReadyCall>,
  refusal: RefusalId,
): Promise<void> => {
  await leavesNothing(owner, async () => {
    for (const [operation, call] of ready)
      expect
        .soft(await perform(caller, operation, { ...call, by: caller }, { pace: true }), operation)
        .toBeRefused(refusal)
  })
}
