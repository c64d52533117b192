import type { Ordeal } from '../ordeal.ts'

export const syncEqualTimestamps: Ordeal = {
  title: 'twelve invoices were stored at the same instant; the client runs twice',
  rules: ['client.sync.complete'],
  receive: { waiting: 12, sameInstant: true },
  runs: 2,
  conditions: () => [{ on: 'queries.metadata', from: 1, act: { kind: 'arrive', count: 1 } }],
}
