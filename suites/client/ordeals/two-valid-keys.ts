import type { Ordeal } from '../ordeal.ts'

export const twoValidKeys: Ordeal = {
  title: 'two keys of one usage are valid',
  rules: ['client.keys.chosen'],
  documents: { accepted: 2 },
  conditions: () => [
    {
      on: 'any',
      from: 1,
      act: { kind: 'rotate', usage: 'SymmetricKeyEncryption', overlapMs: 3_600_000 },
    },
  ],
}
