import type { Ordeal } from '../ordeal.ts'

export const killedBeforeSubmit: Ordeal = {
  title: 'the client is killed before a submission arrives, and started again',
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
  conditions: (draw) => [
    {
      on: 'invoices.submit',
      from: draw.int(1, 3),
      fault: { kind: 'lost-before' },
      act: { kind: 'kill' },
    },
  ],
}
