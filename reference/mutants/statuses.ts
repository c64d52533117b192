import type { Mutant } from './mutant.ts'
import type { Change, Fields } from './rewrite.ts'
import { records } from './rewrite.ts'

/** The status of an invoice. */
interface InvoiceStatus {
  readonly svcNumber: string | null
  readonly status: { readonly code: number; readonly extensions?: unknown }
}

const shown = [
  'invoices.inSession',
  'invoices.status',
  'invoices.statusBySvcNumber',
  'sessions.invoices',
] as const

/** Statuses of invoices with other fields, wherever they are shown. */
export const statuses = (change: Change<InvoiceStatus>): Mutant =>
  records([...shown, 'sessions.failed'], 'invoices', change)

/** What statuses say of the invoices of packages. */
export const inPackages = (fields: Fields): Mutant =>
  records<{ readonly referenceNumber: string }>(
    shown,
    'invoices',
    ({ referenceNumber }, { service: { state } }) => {
      const session = state.invoices.get(referenceNumber)?.session ?? ''
      return state.sessions.get(session)?.kind === 'batch' ? fields : {}
    },
  )
