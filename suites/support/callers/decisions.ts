import { endpoint } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { harmless } from '../steps/harmless.ts'
import { offered } from '../service/offered.ts'

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
    const needed = endpoint(operation).permissions
    const opens = needed === undefined || needed.some((one) => held.includes(one))
    const { aliases } = wireOperation(operation, api.dialect)
    for (const spelling of [{}, ...aliases.map((_, alias) => ({ alias }))]) {
      const call = { ...harmless(operation), ...spelling, pace: true }
      const { status, request } = await api.call(operation, call)
      if ((status === 403) !== opens) continue
      const path = request.url.replace(/[?#].*/, '')
      wrong.push(`${operation} (${path}) should ${opens ? '' : 'not '}open, answered ${status}`)
    }
  }
  return wrong
}
