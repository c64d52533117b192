import type { Ordeal } from '../ordeal.ts'

export const gzippedAnswers: Ordeal = {
  title: 'answers are compressed where the client takes that',
  rules: ['client.faults.survived'],
  variant: 'slow',
  documents: { accepted: 2 },
  conditions: () => [{ on: 'any', from: 1, times: 100000, fault: { kind: 'form', how: 'gzip' } }],
}
