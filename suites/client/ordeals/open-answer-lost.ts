import type { Ordeal } from '../ordeal.ts'

export const openAnswerLost: Ordeal = {
  title: 'the opening of a session gets no answer',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'sessions.openOnline', from: 1, fault: { kind: 'lost-before' } },
    { on: 'sessions.openOnline', from: 2, fault: { kind: 'lost-after' } },
  ],
}
