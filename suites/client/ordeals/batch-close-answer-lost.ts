import type { Ordeal } from '../ordeal.ts'

export const batchCloseAnswerLost: Ordeal = {
  title: 'the closing of a batch session gets no answer',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 2 },
  mode: 'batch',
  conditions: () => [
    { on: 'sessions.closeBatch', from: 1, fault: { kind: 'lost-before' } },
    { on: 'sessions.closeBatch', from: 2, fault: { kind: 'lost-after' } },
  ],
}
