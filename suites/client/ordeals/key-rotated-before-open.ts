import type { Ordeal } from '../ordeal.ts'

export const keyRotatedBeforeOpen: Ordeal = {
  title: 'the key for session keys is rotated between reading and use',
  rules: ['client.keys.rotation'],
  documents: { accepted: 2 },
  conditions: () => [
    {
      on: 'sessions.openOnline',
      from: 1,
      act: { kind: 'rotate', usage: 'SymmetricKeyEncryption', overlapMs: 0 },
    },
  ],
}
