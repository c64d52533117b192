import type { Ordeal } from '../ordeal.ts'

export const formNotInForce: Ordeal = {
  title: 'the form of the documents is not in force for the first seconds',
  rules: ['client.polling.bounded'],
  documents: { either: 2 },
  conditions: () => [
    {
      on: 'sessions.openOnline',
      from: 1,
      times: 3,
      fault: { kind: 'refuse', status: 400, body: 'json' },
    },
  ],
}
