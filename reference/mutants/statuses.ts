import type { Mutant } from './mutant.ts'
import type { Change } from './rewrite.ts'
import { records } from './rewrite.ts'

/** The status of an invoice. */
interface InvoiceStatus {
  readonly svcNumber: string | null
  readonly status: { readonly code: number; readonly extensions?: unknown }
}

/** Statuses of invoices with other fields, wherever they are shown. */
export const statuses = (change: Change<InvoiceStatus>): Mutant =>
  records(
    [
      'invoices.inSession',
      'invoices.status',
      'invoices.statusBySvcNumber',
      'sessions.invoices',
      'sessions.failed',
    ],
    'invoices',
    change,
  )
