import type { OperationId } from '../../contract/endpoints.ts'
import type { Instant } from '../base/instants.ts'
import type { Service } from '../call/service.ts'
import type { AnyCall, Answer } from '../call/call.ts'
import { authHandlers } from './auth.ts'
import { certificatesHandlers } from './certificates.ts'
import { exportsHandlers } from './exports.ts'
import { invoicesHandlers } from './invoices.ts'
import { keysHandlers } from './keys.ts'
import { limitsHandlers } from './limits.ts'
import { operationsHandlers } from './operations.ts'
import { permissionsHandlers } from './permissions.ts'
import { queriesHandlers } from './queries.ts'
import { receiptsHandlers } from './receipts.ts'
import { sessionsHandlers } from './sessions.ts'
import { testdataHandlers } from './testdata.ts'
import { tokensHandlers } from './tokens.ts'
import { transportHandlers } from './transport.ts'
import { addressedPart } from './batch.ts'

/** The handler of every operation; an operation without one does not type-check. */
const handlers = {
  ...transportHandlers,
  ...authHandlers,
  ...tokensHandlers,
  ...keysHandlers,
  ...limitsHandlers,
  ...sessionsHandlers,
  ...invoicesHandlers,
  ...receiptsHandlers,
  ...queriesHandlers,
  ...exportsHandlers,
  ...operationsHandlers,
  ...permissionsHandlers,
  ...certificatesHandlers,
  ...testdataHandlers,
} satisfies Record<OperationId, unknown>

/** The handler of an operation, in its general shape: the wrapper has ensured what the precise type requires. */
export const handlerOf = (operation: OperationId): ((call: AnyCall) => Promise<Answer>) => {
  const handler = (handlers as Record<string, unknown>)[operation] as (
    call: AnyCall,
  ) => Answer | Promise<Answer>
  return async (call) => handler(call)
}

/**
 * Decides by the link alone, before a body is read, whether to read it: unknown callers may not fill the memory.
 * @throws the refusal of the operation
 */
export type Admission = (
  service: Service,
  path: Readonly<Record<string, string>>,
  signature: string | null,
  now: Instant,
) => unknown

/** The admission of an operation that takes large bodies at a signed address. */
export const admissionOf = (operation: OperationId): Admission | undefined =>
  operation === 'sessions.uploadPart' ? addressedPart : undefined
