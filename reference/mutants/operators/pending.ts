import type { OperationId } from '../../../contract/endpoints.ts'
import { makeSvcNumber } from '../../base/service-numbers.ts'
import { utc } from '../../base/wording.ts'
import type { Mutant } from '../mutant.ts'
import { accepts, bodies, lists, records } from '../rewrite.ts'
import type { Change, Fields } from '../rewrite.ts'
import { sessionsPolicy } from '../../policy/sessions.ts'
import type { Generated, Rules } from './operator.ts'
import { generated } from './operator.ts'

/** Work that has not been done yet, and is reported as if it were, or not at all. */

interface Counted {
  readonly total: number
  readonly accepted: number
  readonly rejected: number
}

/** What is counted wrongly while invoices are pending. */
const counters: Readonly<Record<string, (counts: Counted) => Counted>> = {
  'pending-as-accepted': (counts) => ({ ...counts, accepted: counts.total - counts.rejected }),
  'pending-as-rejected': (counts) => ({ ...counts, rejected: counts.total - counts.accepted }),
  'pending-uncounted': (counts) => ({ ...counts, total: counts.accepted + counts.rejected }),
  'none-until-all': (counts) =>
    counts.accepted + counts.rejected < counts.total
      ? { ...counts, accepted: 0, rejected: 0 }
      : counts,
}

/** The counters of a session by the names that they have there; those that are left out stay so where they are zero. */
const recounted =
  (total: string, recount: (counts: Counted) => Counted): Change =>
  (fields) => {
    const read = (name: string): number => Number(fields[name] ?? 0)
    const counts = recount({
      total: read(total),
      accepted: read('successfulInvoiceCount'),
      rejected: read('failedInvoiceCount'),
    })
    return {
      [total]: counts.total,
      successfulInvoiceCount: counts.accepted,
      failedInvoiceCount: counts.rejected,
    }
  }

const codeOf = (record: Fields): number => (record['status'] as { readonly code: number }).code

/** What a pending invoice has too early. */
const early: Readonly<Record<string, (record: Fields) => unknown>> = {
  svcNumber: () => makeSvcNumber('5265877635', '2026-06-15', new Uint8Array(6)),
  acquisitionDate: ({ invoicingDate }) => invoicingDate,
  upoDownloadUrl: () => 'http://127.0.0.1/receipt',
}

const statuses: readonly OperationId[] = [
  'invoices.inSession',
  'invoices.status',
  'sessions.invoices',
]

/** A receipt of an invoice that has none, in a state. */
const receiptOf = (within: (code: number) => boolean): Mutant =>
  accepts(['receipts.invoice'], ['receipt-unknown'], ({ service, path }) => {
    const invoice = service.state.invoices.get(path['invoiceReferenceNumber'] ?? '')
    return invoice && within(invoice.status.code)
      ? { bytes: Buffer.from('<Potwierdzenie/>') }
      : undefined
  })

const pendingReceipt = bodies(['sessions.status'], (session: Fields, { now }) =>
  codeOf(session) === 170
    ? {
        upo: {
          pages: [
            {
              referenceNumber: '20260615-EU-2F6A9B0C1D-0E3F4A5B6C-7D',
              downloadUrl: 'http://127.0.0.1/receipt',
              downloadUrlExpirationDate: utc(now),
            },
          ],
        },
      }
    : {},
)

const others: readonly (readonly [string, Rules, Mutant])[] = [
  [
    'sessions.invoices.pending-left-out',
    ['sessions.invoices.complete'],
    lists<Fields>(['sessions.invoices'], 'invoices', (rows) =>
      rows.filter((row) => codeOf(row) >= 200),
    ),
  ],
  [
    'sessions.failed.pending-too',
    ['sessions.batch.failed-list'],
    {
      policy: { listedAsFailed: (code) => code < 200 || sessionsPolicy.listedAsFailed(code) },
    },
  ],
  [
    'receipts.invoice.pending',
    ['receipts.invoice.carries-number'],
    receiptOf((code) => code < 200),
  ],
  [
    'receipts.invoice.rejected',
    ['receipts.invoice.carries-number'],
    receiptOf((code) => code > 200),
  ],
  ['sessions.status.receipt', ['sessions.online.receipt-after-close'], pendingReceipt],
  [
    'exports.status.expiry',
    ['exports.status.moves-forward'],
    bodies(['exports.status'], (entry: Fields, { now }) =>
      codeOf(entry) === 100 ? { packageExpirationDate: utc(now) } : {},
    ),
  ],
]

export const pendingWork = (): Generated[] => [
  ...Object.entries(counters).flatMap(([how, recount]) => [
    generated(
      'pending',
      `sessions.status.${how}`,
      ['sessions.status.counts'],
      bodies(['sessions.status'], recounted('invoiceCount', recount)),
    ),
    generated(
      'pending',
      `sessions.list.${how}`,
      ['sessions.status.counts'],
      records(['sessions.list'], 'sessions', recounted('totalInvoiceCount', recount)),
    ),
  ]),
  ...statuses.flatMap((operation) =>
    Object.entries(early).map(([name, value]) =>
      generated(
        'pending',
        `${operation}.${name}`,
        ['invoices.status.outcome'],
        records([operation], 'invoices', (record) =>
          codeOf(record) < 200 ? { [name]: value(record) } : {},
        ),
      ),
    ),
  ),
  ...others.map(([row, rules, mutant]) => generated('pending', row, rules, mutant)),
]
