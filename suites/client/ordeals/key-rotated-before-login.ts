import type { Ordeal } from '../ordeal.ts'

export const keyRotatedBeforeLogin: Ordeal = {
  title: 'the key for service tokens is rotated between reading and use',
  rules: ['client.keys.rotation'],
  documents: { accepted: 1 },
  conditions: () => [
    {
      on: 'auth.token',
      from: 1,
      act: { kind: 'rotate', usage: 'SvcTokenEncryption', overlapMs: 0 },
    },
  ],
}
