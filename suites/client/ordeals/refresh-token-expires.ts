import type { Ordeal } from '../ordeal.ts'

export const refreshTokenExpires: Ordeal = {
  title: 'refresh tokens live for six seconds, access tokens for three',
  rules: ['client.tokens.refreshed'],
  documents: { accepted: 4 },
  service: { lifetimes: { 'accessToken.lifetime': 3, 'refreshToken.lifetime': 6 } },
  conditions: () => [
    { on: 'invoices.submit', from: 1, times: 4, fault: { kind: 'slow', ms: 2500 } },
  ],
}
