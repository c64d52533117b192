import type { Ordeal } from '../ordeal.ts'

export const expiredKeyListed: Ordeal = {
  title: 'expired certificates still stand in the list, first',
  rules: ['client.keys.chosen'],
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'keys.list', from: 1, times: 100000, fault: { kind: 'keys', first: 'expired' } },
  ],
}
