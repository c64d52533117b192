import type { Ordeal } from '../ordeal.ts'
import { looks, refused, slowSubmissions } from './shapes.ts'

const closing = { rules: ['client.faults.survived', 'client.receipt.fetched'] } as const
const receipts = { rules: ['client.receipt.fetched'], documents: { accepted: 2 } } as const
const packages = {
  rules: ['client.faults.survived'],
  documents: { accepted: 2 },
  mode: 'batch',
} as const

/** Sessions, packages and receipts. */
export const sessions = {
  'session-expires': {
    ...closing,
    title: 'sessions live for four seconds',
    variant: 'slow',
    documents: { accepted: 4 },
    service: { lifetimes: { 'session.onlineLifetime': 4 } },
    conditions: () => [slowSubmissions(4, 1500)],
  },
  'session-full': {
    ...closing,
    title: 'a session takes two invoices, the task has five',
    variant: '5xx',
    documents: { accepted: 5 },
    service: { sessionInvoices: 2 },
  },
  'session-closed-by-operator': {
    ...closing,
    title: 'an operator closes the session between two invoices',
    variant: 'cut',
    documents: { accepted: 4 },
    conditions: (draw) => [
      { on: 'invoices.submit', from: draw.int(2, 3), act: { kind: 'close-session' } },
    ],
  },
  'pending-for-long': {
    title: 'an invoice stays in processing for eight seconds',
    rules: ['client.polling.bounded'],
    documents: { accepted: 1 },
    conditions: () => [
      { on: looks, from: 1, lastsMs: 8000, fault: { kind: 'pending', code: 150 } },
    ],
  },
  'receipt-late': {
    ...receipts,
    title: 'the session is processed late, and so its receipt',
    rules: ['client.receipt.fetched', 'client.polling.bounded'],
    conditions: () => [
      { on: 'sessions.status', from: 1, times: 4, fault: { kind: 'pending', code: 170 } },
    ],
  },
  'receipt-pages': {
    ...receipts,
    title: 'the aggregate receipt has several pages',
    documents: { accepted: 5 },
    service: { lifetimes: { 'receipt.documentsPerPage': 2 } },
  },
  'receipt-link-expired': {
    ...receipts,
    title: 'the first link to a receipt has expired',
    conditions: () => [{ ...refused('receipts.link', 403), stays: true }],
  },
  'batch-upload-fails': {
    ...packages,
    title: 'the upload of a part fails once',
    variant: '5xx',
    conditions: () => [refused('sessions.uploadPart', 503, { body: 'none' })],
  },
  'batch-address-expires': {
    ...packages,
    title: 'the address for a part has expired',
    variant: '5xx',
    conditions: () => [{ ...refused('sessions.uploadPart', 403, { body: 'none' }), stays: true }],
  },
  'batch-package-refused': {
    ...packages,
    title: 'a part arrives damaged and is refused for its hash',
    rules: ['client.faults.survived', 'client.polling.bounded'],
    variant: 'cut',
    conditions: () => [{ on: 'sessions.uploadPart', from: 1, fault: { kind: 'corrupt-upload' } }],
  },
} as const satisfies Record<string, Ordeal>
