import type { Ordeal } from '../ordeal.ts'
import { looks, refused } from './shapes.ts'

const survived = {
  rules: ['client.faults.survived'],
  variant: '5xx',
  documents: { accepted: 2 },
} as const

/** The service, or a gateway before it, cannot answer, or answers late. */
export const faults = {
  'fault-500': {
    ...survived,
    title: '500 on a login, an opening and a read',
    conditions: (draw) => [
      refused('sessions.openOnline', 500),
      refused(looks, 500, { from: draw.int(1, 2) }),
      refused('auth.challenge', 500),
    ],
  },
  'fault-502': {
    ...survived,
    title: "502 with a gateway's HTML",
    conditions: (draw) => [
      refused('sessions.openOnline', 502, { body: 'html' }),
      refused(looks, 502, { from: draw.int(1, 2), times: 2, body: 'html' }),
    ],
  },
  'fault-503': {
    ...survived,
    title: '503 with Retry-After',
    conditions: () => [
      refused('sessions.openOnline', 503, { retryAfter: 2 }),
      refused('sessions.closeOnline', 503, { retryAfter: 2 }),
    ],
  },
  'fault-503-date': {
    ...survived,
    title: '503 of a gateway, with a date as Retry-After, for three seconds',
    conditions: () => [
      {
        ...refused('sessions.openOnline', 503, { retryAfter: 3, isDate: true, body: 'html' }),
        lastsMs: 3000,
      },
    ],
  },
  'fault-on-submit': {
    ...survived,
    title: '503 without Retry-After on submissions',
    rules: ['client.faults.survived', 'client.outcome.unknown-resolved'],
    documents: { accepted: 3 },
    conditions: (draw) => [refused('invoices.submit', 503, { from: draw.int(1, 2), body: 'none' })],
  },
  maintenance: {
    ...survived,
    title: 'maintenance for eight seconds, announced by HTML',
    documents: { accepted: 3 },
    conditions: (draw) => [
      { ...refused('any', 503, { from: draw.int(5, 12), body: 'html' }), lastsMs: 8000 },
    ],
  },
  'refused-connection': {
    ...survived,
    title: 'connections are refused for the first four seconds',
    variant: 'cut',
    documents: { accepted: 1 },
    service: { listensAfterMs: 4000 },
  },
  'slow-answers': {
    ...survived,
    title: 'answers come three seconds late',
    variant: 'slow',
    rules: ['client.faults.survived', 'client.outcome.unknown-resolved'],
    conditions: (draw) => [
      { on: 'sessions.openOnline', from: 1, fault: { kind: 'slow', ms: 3000 } },
      { on: 'invoices.submit', from: draw.int(1, 2), fault: { kind: 'slow', ms: 3000 } },
      { on: 'sessions.closeOnline', from: 1, fault: { kind: 'slow', ms: 3000 } },
    ],
  },
} as const satisfies Record<string, Ordeal>
