import type { Ordeal } from '../ordeal.ts'

export const killedInBatch: Ordeal = {
  title: 'the client is killed as it closes its package, and started again',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 2 },
  mode: 'batch',
  conditions: (draw) => [
    {
      on: 'sessions.closeBatch',
      from: 1,
      fault: draw.pick([{ kind: 'lost-before' }, { kind: 'lost-after' }]),
      act: { kind: 'kill' },
      when: 'before',
    },
  ],
}
