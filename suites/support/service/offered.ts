import { operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Bearer } from '../../../contract/types.ts'
import { absence, wireOperation } from '../../../lib/wire.ts'
import { expectations } from './expectations.ts'

/** Whether an operation changes test data, which only some environments offer. */
export const isOnTestData = (operation: OperationId): boolean => operation.startsWith('testdata.')

/** Those of the given operations that the target's dialect and environment have. */
export const offered = (...operations: readonly OperationId[]): OperationId[] =>
  operations.filter(
    (operation) =>
      absence(operation, expectations().dialect) === undefined &&
      (!isOnTestData(operation) || expectations().has('testdata')),
  )

/** Operations that the target's dialect has, with one of these kinds of bearer there. */
export const taking = (...bearers: readonly Bearer[]): OperationId[] =>
  offered(...operationIds).filter((operation) =>
    bearers.includes(wireOperation(operation, expectations().dialect).bearer),
  )
