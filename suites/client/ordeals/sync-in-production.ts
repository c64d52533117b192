import type { Ordeal } from '../ordeal.ts'

export const syncInProduction: Ordeal = {
  title: 'production; the client is started twice within a minute',
  rules: ['client.sync.interval', 'client.sync.complete'],
  receive: { waiting: 3 },
  runs: 2,
  service: { environment: 'production' },
}
