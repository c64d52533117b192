import type { Ordeal } from '../ordeal.ts'

export const syncArrivals: Ordeal = {
  title: 'invoices arrive while the client turns the pages; it runs twice',
  rules: ['client.sync.complete'],
  receive: { waiting: 22 },
  runs: 2,
  conditions: () => [{ on: 'queries.metadata', from: 2, act: { kind: 'arrive', count: 3 } }],
}
