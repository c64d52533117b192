import type { Ordeal } from '../ordeal.ts'

export const limitOnLogin: Ordeal = {
  title: '429 on each call of a login',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 1 },
  conditions: () => [
    {
      on: 'auth.challenge',
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 1, body: 'json' },
    },
    {
      on: ['auth.token', 'auth.xades'],
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 1, body: 'json' },
    },
    {
      on: 'auth.status',
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 1, body: 'json' },
    },
    {
      on: 'auth.redeem',
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 1, body: 'json' },
    },
  ],
}
