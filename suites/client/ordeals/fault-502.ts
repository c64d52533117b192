import type { Ordeal } from '../ordeal.ts'

export const fault502: Ordeal = {
  title: "502 with a gateway's HTML",
  rules: ['client.faults.survived'],
  variant: '5xx',
  documents: { accepted: 2 },
  conditions: (draw) => [
    { on: 'sessions.openOnline', from: 1, fault: { kind: 'refuse', status: 502, body: 'html' } },
    {
      on: ['invoices.inSession', 'sessions.status', 'sessions.invoices'],
      from: draw.int(1, 2),
      times: 2,
      fault: { kind: 'refuse', status: 502, body: 'html' },
    },
  ],
}
