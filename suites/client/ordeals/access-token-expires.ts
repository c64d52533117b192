import type { Ordeal } from '../ordeal.ts'

export const accessTokenExpires: Ordeal = {
  title: 'access tokens live for five seconds',
  rules: ['client.tokens.refreshed'],
  documents: { accepted: 4 },
  service: { lifetimes: { 'accessToken.lifetime': 5 } },
  conditions: () => [
    { on: 'invoices.submit', from: 1, times: 4, fault: { kind: 'slow', ms: 2000 } },
  ],
}
