import type { Ordeal } from '../ordeal.ts'

export const permissionWithdrawn: Ordeal = {
  title: 'the permission to issue is withdrawn while the client works',
  rules: ['client.polling.bounded'],
  documents: { either: 3 },
  service: { lifetimes: { 'accessToken.lifetime': 4 } },
  conditions: () => [
    { on: 'invoices.submit', from: 2, act: { kind: 'withdraw-permission' } },
    { on: 'invoices.submit', from: 1, times: 4, fault: { kind: 'slow', ms: 2000 } },
  ],
}
