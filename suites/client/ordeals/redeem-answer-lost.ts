import type { Ordeal } from '../ordeal.ts'

export const redeemAnswerLost: Ordeal = {
  title: 'the redeem of an authentication gets no answer',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 1 },
  conditions: () => [
    { on: 'auth.redeem', from: 1, fault: { kind: 'lost-before' } },
    { on: 'auth.redeem', from: 2, fault: { kind: 'lost-after' } },
  ],
}
