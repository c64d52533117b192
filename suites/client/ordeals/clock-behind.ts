import type { Ordeal } from '../ordeal.ts'

export const clockBehind: Ordeal = {
  title: 'the clock of the service is an hour behind the client',
  rules: ['client.tokens.refreshed'],
  documents: { accepted: 3 },
  service: { aheadMs: -3_600_000, lifetimes: { 'accessToken.lifetime': 5 } },
  conditions: () => [
    { on: 'invoices.submit', from: 1, times: 3, fault: { kind: 'slow', ms: 2000 } },
  ],
}
