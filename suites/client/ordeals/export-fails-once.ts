import type { Ordeal } from '../ordeal.ts'

export const exportFailsOnce: Ordeal = {
  title: 'an export ends in an error of the service',
  rules: ['client.sync.complete'],
  receive: { waiting: 5, by: 'export' },
  conditions: () => [{ on: 'exports.status', from: 1, fault: { kind: 'failed-work', code: 500 } }],
}
