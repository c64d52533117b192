import type { Ordeal } from '../ordeal.ts'

export const limitOnSubmit: Ordeal = {
  title: '429 on submissions, with short and longer Retry-After',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 3 },
  conditions: (draw) => [
    {
      on: 'invoices.submit',
      from: draw.int(1, 2),
      fault: { kind: 'refuse', status: 429, retryAfter: 2, body: 'json' },
    },
    {
      on: 'invoices.submit',
      from: 4,
      fault: { kind: 'refuse', status: 429, retryAfter: 4, body: 'json' },
    },
  ],
}
