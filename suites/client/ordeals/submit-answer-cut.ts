import type { Ordeal } from '../ordeal.ts'

export const submitAnswerCut: Ordeal = {
  title: 'the answer to a submission breaks off in its middle',
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
  conditions: (draw) => [{ on: 'invoices.submit', from: draw.int(1, 3), fault: { kind: 'cut' } }],
}
