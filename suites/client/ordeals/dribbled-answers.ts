import type { Ordeal } from '../ordeal.ts'

export const dribbledAnswers: Ordeal = {
  title: 'answers come in small pieces',
  rules: ['client.faults.survived'],
  variant: 'slow',
  documents: { accepted: 2 },
  conditions: () => [{ on: 'any', from: 1, times: 100000, fault: { kind: 'dribble', ms: 400 } }],
}
