import type { Ordeal } from '../ordeal.ts'

export const killedAfterSubmit: Ordeal = {
  title: 'the client is killed after a submission was carried out, and started again',
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
  conditions: (draw) => [
    {
      on: 'invoices.submit',
      from: draw.int(2, 3),
      fault: { kind: 'lost-after' },
      act: { kind: 'kill' },
      when: 'after',
    },
  ],
}
