import type { Ordeal } from '../ordeal.ts'

export const maintenance: Ordeal = {
  title: 'maintenance for eight seconds, announced by HTML',
  rules: ['client.faults.survived'],
  variant: '5xx',
  documents: { accepted: 3 },
  conditions: (draw) => [
    {
      on: 'any',
      from: draw.int(5, 12),
      lastsMs: 8000,
      fault: { kind: 'refuse', status: 503, body: 'html' },
    },
  ],
}
