import type { Ordeal } from '../ordeal.ts'

export const sessionExpires: Ordeal = {
  title: 'sessions live for four seconds',
  rules: ['client.faults.survived', 'client.receipt.fetched'],
  variant: 'slow',
  documents: { accepted: 4 },
  service: { lifetimes: { 'session.onlineLifetime': 4 } },
  conditions: () => [
    { on: 'invoices.submit', from: 1, times: 4, fault: { kind: 'slow', ms: 1500 } },
  ],
}
