import type { Ordeal } from '../ordeal.ts'

export const submitAnswerLostAfter: Ordeal = {
  title: 'a submission gets no answer: the service carried it out',
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
  conditions: (draw) => [
    { on: 'invoices.submit', from: draw.int(1, 3), fault: { kind: 'lost-after' } },
  ],
}
