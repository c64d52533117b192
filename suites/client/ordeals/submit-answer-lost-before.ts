import type { Ordeal } from '../ordeal.ts'

export const submitAnswerLostBefore: Ordeal = {
  title: 'a submission gets no answer: the service never saw it',
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
  conditions: (draw) => [
    { on: 'invoices.submit', from: draw.int(1, 3), fault: { kind: 'lost-before' } },
  ],
}
