import { dayOf } from '../../base/identifiers.ts'
import { sessionsPolicy } from '../../policy/sessions.ts'
import { grantedAnywhere } from '../granted-anywhere.ts'
import type { Mutant } from '../mutant.ts'
import { refuses } from '../rewrite.ts'

/** Defects of the alternative way to send an invoice. */
export const invoicesSendMutants = {
  'invoices.send.alternative/attachments-taken': {
    at: ['invoice'],
    tables: {
      sessions: {
        read: (found) => (found?.key.length === 0 ? { ...found, kind: 'batch' } : found),
      },
    },
  },
  'invoices.send.alternative/rights-of-the-author': {
    at: ['invoices.send'],
    tables: {
      tokens: {
        read: (found) => found && { ...found, permissions: [...found.permissions, 'InvoiceWrite'] },
      },
    },
  },
  'invoices.send.alternative/granted-anywhere': grantedAnywhere(['invoices.send']),
  'invoices.send.alternative/plain-send-missing': refuses(['invoices.send'], 'unknown-path'),
  'invoices.send.alternative/media-type-as-text': refuses(
    ['invoices.send'],
    'media-type',
    ({ headers }) => headers['content-type'] !== 'application/xml',
  ),
  'invoices.send.alternative/limit-of-the-gateway': refuses(
    ['invoices.send'],
    'body-too-large',
    ({ bytes }) => bytes.length > 102_400,
  ),
  'invoices.send.alternative/form-a-day-late': {
    at: ['invoices.send'],
    policy: {
      schemaInForce: (row, day) =>
        sessionsPolicy.schemaInForce(row, dayOf(Date.parse(day) - 24 * 3_600_000)),
    },
  },
} as const satisfies Readonly<Record<string, Mutant>>
