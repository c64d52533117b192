import type { Ordeal } from '../ordeal.ts'

export const killedAtClose: Ordeal = {
  title: 'the client is killed as it closes its session, and started again',
  rules: ['client.faults.survived', 'client.receipt.fetched'],
  variant: 'cut',
  documents: { accepted: 2 },
  conditions: () => [
    {
      on: 'sessions.closeOnline',
      from: 1,
      fault: { kind: 'lost-after' },
      act: { kind: 'kill' },
      when: 'after',
    },
  ],
}
