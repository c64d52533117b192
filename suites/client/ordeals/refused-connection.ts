import type { Ordeal } from '../ordeal.ts'

export const refusedConnection: Ordeal = {
  title: 'nothing listens for the first two seconds',
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 1 },
  service: { listensAfterMs: 2000 },
}
