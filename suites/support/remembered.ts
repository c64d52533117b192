import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import type { CallOptions } from '../../lib/request.ts'
import { expectObject } from '../../lib/outcome.ts'
import { expect } from './matchers.ts'
import { meaningOf } from './meaning.ts'
import { offered } from './offered.ts'
import { granted } from './grants.ts'

/** What a caller can see of everything that a call may create or change. */
const looks: readonly (readonly [OperationId, CallOptions])[] = [
  ['sessions.list', { query: { sessionType: 'Online' } }],
  ['sessions.list', { query: { sessionType: 'Batch' } }],
  ['tokens.list', {}],
  ['auth.sessions', {}],
  ['permissions.queryPersons', { body: granted }],
  ['permissions.queryAuthorizations', { body: { queryType: 'Granted' } }],
  ['permissions.querySubunits', {}],
  ['permissions.queryEu', {}],
  ['permissions.attachmentStatus', {}],
  ['certificates.query', {}],
  ['certificates.limits', {}],
  ['limits.context', {}],
  ['limits.subject', {}],
  ['limits.rates', {}],
]

const seen = async (api: Client): Promise<Readonly<Record<string, unknown>>> => {
  const found: Record<string, unknown> = {}
  for (const [operation, call] of looks)
    if (offered(operation).length > 0)
      found[`${operation} ${JSON.stringify(call)}`] = meaningOf(
        operation,
        expectObject(await api.call(operation, call), `look at ${operation}`),
      )
  return found
}

/**
 * Makes calls that are refused, and looks whether they left anything behind.
 * @throws {Inconclusive} when it cannot look
 */
export const leavesNothing = async (api: Client, calls: () => Promise<void>): Promise<void> => {
  const before = await seen(api)
  await calls()
  expect(await seen(api), 'what the caller sees after refused calls').toEqual(before)
}
