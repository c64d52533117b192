import type { Ordeal } from '../ordeal.ts'

export const limitOnStatus: Ordeal = {
  title: '429 on looks at outcomes',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 2 },
  conditions: (draw) => [
    {
      on: ['invoices.inSession', 'sessions.status', 'sessions.invoices'],
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 2, body: 'json' },
    },
    {
      on: ['invoices.inSession', 'sessions.status', 'sessions.invoices'],
      from: draw.int(3, 4),
      fault: { kind: 'refuse', status: 429, retryAfter: 3, body: 'json' },
    },
  ],
}
