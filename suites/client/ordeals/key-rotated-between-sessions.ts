import type { Ordeal } from '../ordeal.ts'

export const keyRotatedBetweenSessions: Ordeal = {
  title: 'the key for session keys is rotated while a session is open',
  rules: ['client.keys.rotation'],
  documents: { accepted: 4 },
  service: { sessionInvoices: 2 },
  conditions: () => [
    {
      on: 'invoices.submit',
      from: 1,
      act: { kind: 'rotate', usage: 'SymmetricKeyEncryption', overlapMs: 0 },
    },
  ],
}
