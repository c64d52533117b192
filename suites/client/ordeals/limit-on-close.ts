import type { Ordeal } from '../ordeal.ts'

export const limitOnClose: Ordeal = {
  title: '429 on the closing of a session',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 2 },
  conditions: () => [
    {
      on: 'sessions.closeOnline',
      from: 1,
      times: 2,
      fault: { kind: 'refuse', status: 429, retryAfter: 2, body: 'json' },
    },
  ],
}
