import type { Ordeal } from '../ordeal.ts'

export const keepAliveClosed: Ordeal = {
  title: 'every connection is closed after its answer',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 3 },
  conditions: () => [{ on: 'any', from: 1, times: 100000, fault: { kind: 'form', how: 'close' } }],
}
