import type { Ordeal } from '../ordeal.ts'

export const answersCut: Ordeal = {
  title: 'answers to reads break off in their middle',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 2 },
  conditions: (draw) => [
    { on: 'keys.list', from: 1, fault: { kind: 'cut' } },
    {
      on: ['invoices.inSession', 'sessions.status', 'sessions.invoices'],
      from: draw.int(1, 2),
      fault: { kind: 'cut' },
    },
    { on: 'auth.status', from: 1, fault: { kind: 'cut' } },
  ],
}
