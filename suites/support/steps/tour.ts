import { offered } from '../service/offered.ts'
import { outcomeOfInvoice, finish } from './steps.ts'
import type { Desk } from './steps.ts'

/**
 * Calls the operations that every client uses, in their order: the session and its invoice, lists, limits, keys. The
 * caller looks at the answers, including refusals.
 */
export const tour = async (desk: Desk, document: Uint8Array): Promise<void> => {
  const { api, session } = desk
  const path = { referenceNumber: session.referenceNumber }
  await outcomeOfInvoice(desk, document)
  for (const operation of offered(
    'transport.health',
    'keys.list',
    'limits.context',
    'limits.subject',
    'limits.rates',
    'auth.sessions',
    'tokens.list',
  ))
    await api.call(operation)
  await api.call('sessions.status', { path })
  await api.call('sessions.invoices', { path })
  await api.call('sessions.list', { query: { sessionType: 'Online' } })
  await finish(desk)
  await api.call('sessions.invoices', { path })
}
