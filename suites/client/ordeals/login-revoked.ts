import type { Ordeal } from '../ordeal.ts'

export const loginRevoked: Ordeal = {
  title: 'somebody revokes the login while the client works',
  rules: ['client.tokens.refreshed'],
  documents: { accepted: 4 },
  service: { lifetimes: { 'accessToken.lifetime': 4 } },
  conditions: (draw) => [
    { on: 'invoices.submit', from: draw.int(1, 2), act: { kind: 'revoke-login' }, when: 'after' },
    { on: 'invoices.submit', from: 1, times: 4, fault: { kind: 'slow', ms: 2000 } },
  ],
}
