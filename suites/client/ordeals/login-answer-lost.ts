import type { Ordeal } from '../ordeal.ts'

export const loginAnswerLost: Ordeal = {
  title: 'the start of an authentication gets no answer',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 1 },
  conditions: () => [
    { on: ['auth.token', 'auth.xades'], from: 1, fault: { kind: 'lost-before' } },
    { on: ['auth.token', 'auth.xades'], from: 2, fault: { kind: 'lost-after' } },
  ],
}
