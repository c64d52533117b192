import type { Ordeal } from '../ordeal.ts'

export const membersReordered: Ordeal = {
  title: 'members of answers come in another order',
  rules: ['client.fields.unknown-ignored'],
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'any', from: 1, times: 100000, fault: { kind: 'form', how: 'reordered' } },
  ],
}
