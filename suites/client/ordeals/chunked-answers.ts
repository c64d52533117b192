import type { Ordeal } from '../ordeal.ts'

export const chunkedAnswers: Ordeal = {
  title: 'answers are chunked',
  rules: ['client.faults.survived'],
  variant: 'slow',
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'any', from: 1, times: 100000, fault: { kind: 'form', how: 'chunked' } },
  ],
}
