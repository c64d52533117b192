import type { Ordeal } from '../ordeal.ts'

export const closeAnswerLost: Ordeal = {
  title: 'the closing of a session gets no answer',
  rules: ['client.faults.survived', 'client.receipt.fetched'],
  variant: 'cut',
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'sessions.closeOnline', from: 1, fault: { kind: 'lost-before' } },
    { on: 'sessions.closeOnline', from: 2, fault: { kind: 'lost-after' } },
  ],
}
