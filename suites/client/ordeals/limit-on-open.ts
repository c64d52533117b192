import type { Ordeal } from '../ordeal.ts'

export const limitOnOpen: Ordeal = {
  title: '429 on the opening of a session',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 2 },
  conditions: () => [
    {
      on: 'sessions.openOnline',
      from: 1,
      times: 2,
      fault: { kind: 'refuse', status: 429, retryAfter: 2, body: 'json' },
    },
  ],
}
