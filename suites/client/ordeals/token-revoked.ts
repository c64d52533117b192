import type { Ordeal } from '../ordeal.ts'

export const tokenRevoked: Ordeal = {
  title: 'somebody revokes the service token while the client works',
  rules: ['client.polling.bounded'],
  documents: { either: 3 },
  service: { lifetimes: { 'accessToken.lifetime': 4 } },
  conditions: () => [
    { on: 'invoices.submit', from: 2, act: { kind: 'revoke-login' } },
    { on: 'invoices.submit', from: 2, act: { kind: 'revoke-token' } },
    { on: 'invoices.submit', from: 1, times: 4, fault: { kind: 'slow', ms: 2000 } },
  ],
}
