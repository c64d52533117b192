import type { Ordeal } from '../ordeal.ts'

export const limitOnQuery: Ordeal = {
  title: '429 on metadata queries',
  rules: ['client.limits.respected', 'client.sync.complete'],
  variant: 'waits',
  receive: { waiting: 15 },
  conditions: (draw) => [
    {
      on: 'queries.metadata',
      from: draw.int(1, 2),
      fault: { kind: 'refuse', status: 429, retryAfter: 3, body: 'json' },
    },
  ],
}
