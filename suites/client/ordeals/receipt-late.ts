import type { Ordeal } from '../ordeal.ts'

export const receiptLate: Ordeal = {
  title: 'the session is processed late, and so its receipt',
  rules: ['client.receipt.fetched', 'client.polling.bounded'],
  documents: { accepted: 2 },
  conditions: () => [
    { on: 'sessions.status', from: 1, times: 4, fault: { kind: 'pending', code: 170 } },
  ],
}
