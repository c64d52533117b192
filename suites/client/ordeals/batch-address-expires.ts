import type { Ordeal } from '../ordeal.ts'

export const batchAddressExpires: Ordeal = {
  title: 'the address for a part has expired',
  rules: ['client.faults.survived'],
  variant: '5xx',
  documents: { accepted: 2 },
  mode: 'batch',
  conditions: () => [
    { on: 'sessions.uploadPart', from: 1, fault: { kind: 'refuse', status: 403, body: 'none' } },
  ],
}
