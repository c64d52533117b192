import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import type { Exchange } from '../../../lib/exchange.ts'
import { settle } from '../../../lib/flows/settle.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import { agree, agreeOk } from '../divergence.ts'
import type { ModelRule } from '../rules.ts'
import type { World } from '../world.ts'

/** Asynchronous operations on permissions: started, and awaited within the step. */

/** An operation that must succeed. */
export const awaitOperation = async (
  world: World,
  api: Client,
  rule: ModelRule,
  started: Exchange,
): Promise<void> => {
  agreeOk(world, rule, started)
  const referenceNumber = expectText(started, 'start an operation', 'referenceNumber')
  const settled = await settle(api, 'operation', 'await the operation', () =>
    api.call('operations.status', { path: { referenceNumber } }),
  )
  const said = `state ${settled.status.code} (${settled.status.details.join('; ')})`
  agree(
    world,
    rule,
    settled.succeeded,
    'an operation that succeeds',
    said,
    settled.exchanges.at(-1),
  )
}

/** The same, from its call on. */
export const operate = async (
  world: World,
  api: Client,
  rule: ModelRule,
  operation: OperationId,
  body: unknown,
): Promise<void> => awaitOperation(world, api, rule, await api.call(operation, { body }))

interface Listed {
  readonly id: string
  readonly permissionScope: string
}

/** The id of a permission that is in force in the context of the caller. */
export const grantedId = async (
  api: Client,
  subject: string,
  permission: string,
): Promise<string | undefined> => {
  const answer = await api.call('permissions.queryPersons', {
    query: { pageSize: 100 },
    body: { queryType: 'PermissionsGrantedInCurrentContext' },
  })
  const { permissions = [] } = expectOk(answer, 'list the permissions').body as {
    permissions?: readonly Listed[]
  }
  return permissions.find(
    (one) => one.permissionScope === permission && JSON.stringify(one).includes(subject),
  )?.id
}
