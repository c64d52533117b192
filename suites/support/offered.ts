import type { OperationId } from '../../contract/endpoints.ts'
import { absence, wireOperation } from '../../lib/wire.ts'
import { expectations } from './expectations.ts'

/** Those of some operations that the target's dialect has, and its environment. */
export const offered = (...operations: readonly OperationId[]): OperationId[] =>
  operations.filter(
    (operation) =>
      absence(operation, expectations().dialect) === undefined &&
      (!operation.startsWith('testdata.') || expectations().has('testdata')),
  )

/** Those of some operations that the target's dialect has, and that take an access token there. */
export const guarded = (...operations: readonly OperationId[]): OperationId[] =>
  offered(...operations).filter(
    (operation) => wireOperation(operation, expectations().dialect).bearer === 'access',
  )
