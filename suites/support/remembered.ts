import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { SchemaId } from '../../contract/schemas.ts'
import type { CallOptions, Client } from '../../lib/client.ts'
import { expectObject } from '../../lib/outcome.ts'
import { knownFields } from './known-fields.ts'
import { offered } from './offered.ts'
import { expect } from './matchers.ts'

/** What a caller can see of everything that a call may create or change. */
const looks: readonly (readonly [OperationId, CallOptions])[] = [
  ['sessions.list', { query: { sessionType: 'Online' } }],
  ['sessions.list', { query: { sessionType: 'Batch' } }],
  ['tokens.list', {}],
  ['auth.sessions', {}],
  ['permissions.queryPersons', { body: { queryType: 'PermissionsGrantedInCurrentContext' } }],
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

/** Text for people, which a service may word anew in every answer. */
const spoken: ReadonlySet<string> = new Set(['description', 'details'])

/** Lists for which the contract states no order. */
const unordered: ReadonlySet<string> = new Set(['requestedPermissions', 'certificates'])

/** What a look shows of the fields that the contract names, beside what may differ from one answer to the next. */
const lasting = (operation: OperationId, body: object): unknown => {
  const { schema } = endpoint(operation).answer
  const known = schema === undefined ? body : knownFields(body, schema as SchemaId)
  return JSON.parse(JSON.stringify(known), (name, value: unknown) => {
    if (spoken.has(name)) return undefined
    // Where a list goes on is for the service to write; that it goes on is not.
    if (name === 'continuationToken' && typeof value === 'string') return 'goes on'
    return unordered.has(name) && Array.isArray(value) ? new Set(value) : value
  })
}

const seen = async (api: Client): Promise<Readonly<Record<string, unknown>>> => {
  const found: Record<string, unknown> = {}
  for (const [operation, call] of looks)
    if (offered(operation).length > 0)
      found[`${operation} ${JSON.stringify(call)}`] = lasting(
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
