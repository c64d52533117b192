import type { Ordeal } from '../ordeal.ts'

export const syncTruncated: Ordeal = {
  title: 'the service truncates its answer after twelve records',
  rules: ['client.sync.complete'],
  receive: { waiting: 25 },
  service: { lifetimes: { 'query.records': 12 } },
}
