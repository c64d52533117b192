import { endpoint } from '../../contract/endpoints.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import type { Client } from '../../lib/client.ts'
import { harmless } from './harmless.ts'
import { offered } from './offered.ts'

/** What a caller may do: which operations refuse it for want of a permission. */

/** Operations that tell permissions apart, and whose harmless calls leave nothing behind. */
export const telling = [
  'queries.metadata',
  'invoices.bySvcNumber',
  'sessions.closeOnline',
  'invoices.send',
  'sessions.status',
  'permissions.revoke',
  'permissions.revokeAuthorization',
  'permissions.queryEntities',
  'permissions.querySubunits',
  'permissions.queryEu',
] as const satisfies readonly OperationId[]

/** The operations whose decision contradicts the contract, for a caller who holds exactly these permissions. */
export const wrongDecisions = async (
  api: Client,
  held: readonly string[],
  operations: readonly OperationId[] = telling,
): Promise<string[]> => {
  const wrong: string[] = []
  for (const operation of offered(...operations)) {
    const { status } = await api.call(operation, { ...harmless(operation), pace: true })
    const needed = endpoint(operation).permissions
    const opens = needed === undefined || needed.some((one) => held.includes(one))
    if ((status === 403) === opens)
      wrong.push(`${operation} ${opens ? 'should open' : 'should not open'}, answered ${status}`)
  }
  return wrong
}
