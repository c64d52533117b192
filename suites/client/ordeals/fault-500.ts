import type { Ordeal } from '../ordeal.ts'

export const fault500: Ordeal = {
  title: '500 on openings and looks',
  rules: ['client.faults.survived'],
  variant: '5xx',
  documents: { accepted: 2 },
  conditions: (draw) => [
    { on: 'sessions.openOnline', from: 1, fault: { kind: 'refuse', status: 500, body: 'json' } },
    {
      on: ['invoices.inSession', 'sessions.status', 'sessions.invoices'],
      from: draw.int(1, 2),
      fault: { kind: 'refuse', status: 500, body: 'json' },
    },
    { on: 'auth.challenge', from: 1, fault: { kind: 'refuse', status: 500, body: 'json' } },
  ],
}
