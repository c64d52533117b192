import type { Ordeal } from '../ordeal.ts'

export const clockAhead: Ordeal = {
  title: 'the clock of the service is an hour ahead of the client',
  rules: ['client.tokens.refreshed'],
  documents: { accepted: 3 },
  service: { aheadMs: 3_600_000, lifetimes: { 'accessToken.lifetime': 5 } },
  conditions: () => [
    { on: 'invoices.submit', from: 1, times: 3, fault: { kind: 'slow', ms: 2000 } },
  ],
}
