import type { Ordeal } from '../ordeal.ts'
import { limited, looks } from './shapes.ts'

/** A 429 caused any loss of a document here; calls that come too early or too fast have a rule of their own. */
const issuing = {
  rules: ['client.faults.survived', 'client.limits.respected'],
  variant: '429',
  documents: { accepted: 2 },
} as const

/** Rate limits. */
export const limits = {
  burst: { ...issuing, title: 'fourteen invoices at once', documents: { accepted: 14 } },
  'simulated-limits': {
    ...issuing,
    title: 'the service states lower limits than the table',
    documents: { accepted: 6 },
    service: { rates: { invoiceSubmit: { perSecond: 2, perMinute: 60, perHour: 600 } } },
  },
  'limit-on-submit': {
    ...issuing,
    title: '429 on submissions, with short and longer Retry-After',
    documents: { accepted: 3 },
    conditions: (draw) => [
      limited('invoices.submit', 2, { from: draw.int(1, 2) }),
      limited('invoices.submit', 4, { from: 4 }),
    ],
  },
  'limit-of-the-hour': {
    ...issuing,
    title: '429 on a submission with a Retry-After of 20 seconds',
    conditions: (draw) => [limited('invoices.submit', 20, { from: draw.int(1, 2) })],
  },
  'limit-on-open': {
    ...issuing,
    title: '429 on the opening of a session',
    conditions: () => [limited('sessions.openOnline', 2, { times: 2 })],
  },
  'limit-on-close': {
    ...issuing,
    title: '429 on the closing of a session',
    conditions: () => [limited('sessions.closeOnline', 2, { times: 2 })],
  },
  'limit-on-status': {
    ...issuing,
    title: '429 on reads of outcomes',
    conditions: (draw) => [limited(looks, 2), limited(looks, 3, { from: draw.int(3, 4) })],
  },
  'limit-on-login': {
    ...issuing,
    title: '429 on each call of a login',
    documents: { accepted: 1 },
    conditions: () => [
      limited('auth.challenge', 1),
      limited(['auth.token', 'auth.xades'], 1),
      limited('auth.status', 1),
      limited('auth.redeem', 1),
    ],
  },
  'limit-on-batch': {
    ...issuing,
    title: '429 on opening and closing a batch session',
    mode: 'batch',
    conditions: () => [limited('sessions.openBatch', 2), limited('sessions.closeBatch', 2)],
  },
  'limit-on-query': {
    title: '429 on metadata queries',
    rules: ['client.sync.complete', 'client.limits.respected'],
    receive: { waiting: 15 },
    conditions: (draw) => [limited('queries.metadata', 3, { from: draw.int(1, 2) })],
  },
  'limit-without-body': {
    ...issuing,
    title: '429 with Retry-After and without a body',
    conditions: () => [
      limited('invoices.submit', 2, { body: 'none' }),
      limited('sessions.openOnline', 1, { body: 'none' }),
    ],
  },
} as const satisfies Record<string, Ordeal>
