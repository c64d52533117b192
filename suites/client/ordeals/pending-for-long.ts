import type { Ordeal } from '../ordeal.ts'

export const pendingForLong: Ordeal = {
  title: 'an invoice stays in processing for fifteen seconds',
  rules: ['client.polling.bounded'],
  documents: { accepted: 1 },
  conditions: () => [
    {
      on: ['invoices.inSession', 'sessions.status'],
      from: 1,
      times: 8,
      fault: { kind: 'pending', code: 150 },
    },
  ],
}
