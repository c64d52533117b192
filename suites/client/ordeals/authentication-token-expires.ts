import type { Ordeal } from '../ordeal.ts'

export const authenticationTokenExpires: Ordeal = {
  title: 'an authentication takes longer than its token lives',
  rules: ['client.tokens.reauthenticated'],
  documents: { accepted: 1 },
  service: { lifetimes: { 'authenticationToken.lifetime': 3 } },
  conditions: () => [
    { on: 'auth.status', from: 1, times: 6, fault: { kind: 'pending', code: 100 } },
  ],
}
