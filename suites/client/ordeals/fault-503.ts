import type { Ordeal } from '../ordeal.ts'

export const fault503: Ordeal = {
  title: '503 with Retry-After',
  rules: ['client.faults.survived'],
  variant: '5xx',
  documents: { accepted: 2 },
  conditions: () => [
    {
      on: 'sessions.openOnline',
      from: 1,
      fault: { kind: 'refuse', status: 503, retryAfter: 2, body: 'json' },
    },
    {
      on: 'sessions.closeOnline',
      from: 1,
      fault: { kind: 'refuse', status: 503, retryAfter: 2, body: 'json' },
    },
  ],
}
