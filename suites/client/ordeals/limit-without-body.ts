import type { Ordeal } from '../ordeal.ts'

export const limitWithoutBody: Ordeal = {
  title: '429 with Retry-After and without a body',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 2 },
  conditions: () => [
    {
      on: 'invoices.submit',
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 2, body: 'none' },
    },
    {
      on: 'sessions.openOnline',
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 1, body: 'none' },
    },
  ],
}
