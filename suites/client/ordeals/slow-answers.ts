import type { Ordeal } from '../ordeal.ts'

export const slowAnswers: Ordeal = {
  title: 'answers come three seconds late',
  rules: ['client.faults.survived'],
  variant: 'slow',
  documents: { accepted: 2 },
  conditions: (draw) => [
    {
      on: ['sessions.openOnline', 'invoices.submit', 'sessions.closeOnline'],
      from: draw.int(1, 2),
      times: 3,
      fault: { kind: 'slow', ms: 3000 },
    },
  ],
}
