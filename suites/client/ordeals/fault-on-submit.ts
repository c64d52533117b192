import type { Ordeal } from '../ordeal.ts'

export const faultOnSubmit: Ordeal = {
  title: '503 without Retry-After on submissions',
  rules: ['client.faults.survived', 'client.outcome.unknown-resolved'],
  variant: '5xx',
  documents: { accepted: 3 },
  conditions: (draw) => [
    {
      on: 'invoices.submit',
      from: draw.int(1, 2),
      fault: { kind: 'refuse', status: 503, body: 'none' },
    },
  ],
}
