import type { Ordeal } from '../ordeal.ts'

export const limitOfTheHour: Ordeal = {
  title: '429 on a submission with a Retry-After of 20 seconds',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 2 },
  conditions: (draw) => [
    {
      on: 'invoices.submit',
      from: draw.int(1, 2),
      fault: { kind: 'refuse', status: 429, retryAfter: 20, body: 'json' },
    },
  ],
}
