import type { Ordeal } from '../ordeal.ts'

export const limitOnBatch: Ordeal = {
  title: '429 on opening and closing a batch session',
  rules: ['client.limits.respected', 'client.faults.survived'],
  variant: 'waits',
  documents: { accepted: 2 },
  mode: 'batch',
  conditions: () => [
    {
      on: 'sessions.openBatch',
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 2, body: 'json' },
    },
    {
      on: 'sessions.closeBatch',
      from: 1,
      fault: { kind: 'refuse', status: 429, retryAfter: 2, body: 'json' },
    },
  ],
}
