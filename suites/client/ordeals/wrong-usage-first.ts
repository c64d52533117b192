import type { Ordeal } from '../ordeal.ts'

export const wrongUsageFirst: Ordeal = {
  title: 'a certificate of another usage stands first in the list',
  rules: ['client.keys.chosen'],
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'keys.list', from: 1, times: 100000, fault: { kind: 'keys', first: 'other-usage' } },
  ],
}
