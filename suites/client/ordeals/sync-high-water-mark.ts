import type { Ordeal } from '../ordeal.ts'

export const syncHighWaterMark: Ordeal = {
  title: 'an invoice is stored between the query and its answer; the client runs twice',
  rules: ['client.sync.complete'],
  receive: { waiting: 3 },
  runs: 2,
  conditions: () => [
    {
      on: 'queries.metadata',
      from: 1,
      fault: { kind: 'slow', ms: 300 },
      act: { kind: 'arrive', count: 1 },
      when: 'after',
    },
  ],
}
