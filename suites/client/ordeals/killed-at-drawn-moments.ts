import type { Ordeal } from '../ordeal.ts'

export const killedAtDrawnMoments: Ordeal = {
  title: 'the client is killed twice, at drawn moments, and started again',
  rules: ['client.faults.survived', 'client.outcome.unknown-resolved'],
  variant: 'cut',
  documents: { accepted: 3 },
  conditions: (draw) => [
    { on: 'any', from: draw.int(6, 9), fault: { kind: 'lost-before' }, act: { kind: 'kill' } },
    {
      on: 'any',
      from: draw.int(16, 24),
      fault: { kind: 'lost-after' },
      act: { kind: 'kill' },
      when: 'after',
    },
  ],
}
