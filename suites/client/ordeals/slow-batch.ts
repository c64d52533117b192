import type { Ordeal } from '../ordeal.ts'

export const slowBatch: Ordeal = {
  title: 'the service takes its time with a package',
  rules: ['client.polling.bounded', 'client.receipt.fetched'],
  documents: { accepted: 3 },
  mode: 'batch',
  service: { latency: true },
}
