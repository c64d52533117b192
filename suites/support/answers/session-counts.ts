import type { Client } from '../../../lib/client.ts'
import { expectObject } from '../../../lib/outcome.ts'
import { pagesByToken } from './paged-lists.ts'

/** The counters of a session by its status and by the list; one that is left out is zero. */
export const countsOf = async (
  api: Client,
  referenceNumber: string,
  sessionType: 'Online' | 'Batch',
) => {
  const status = expectObject(
    await api.call('sessions.status', { path: { referenceNumber } }),
    'look at the session',
  )
  const query = { sessionType, pageSize: 100 }
  const rows = (await pagesByToken(api, 'sessions.list', 'sessions', query)).flat()
  const row = rows.find((one) => one['referenceNumber'] === referenceNumber)
  const counted = (record: Readonly<Record<string, unknown>> | undefined, total: string) =>
    [total, 'successfulInvoiceCount', 'failedInvoiceCount'].map((name) =>
      Number(record?.[name] ?? 0),
    )
  return { status: counted(status, 'invoiceCount'), list: counted(row, 'totalInvoiceCount') }
}
