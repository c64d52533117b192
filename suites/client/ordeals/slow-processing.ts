import type { Ordeal } from '../ordeal.ts'

export const slowProcessing: Ordeal = {
  title: 'the service takes its time with everything',
  rules: ['client.polling.bounded', 'client.receipt.fetched'],
  documents: { accepted: 3 },
  service: { latency: true },
}
