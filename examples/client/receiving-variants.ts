import type { Variant } from './variant.ts'

/** What clients get wrong when they receive invoices. */
export const receivingVariants: readonly Variant[] = [
  {
    id: 'takes-twice',
    breaks: 'client.sync.complete',
    title: 'does not notice what it received before',
    conduct: { dropsRepeats: false },
    ordeals: ['sync-truncated'],
  },
  {
    id: 'reads-one-page',
    breaks: 'client.sync.complete',
    title: 'reads the first page only',
    conduct: { followsPages: false },
    ordeals: ['sync-pages'],
  },
  {
    id: 'ignores-truncation',
    breaks: 'client.sync.complete',
    title: 'takes a truncated answer for a complete one',
    conduct: { followsTruncation: false },
    ordeals: ['sync-truncated'],
  },
  {
    id: 'synchronizes-from-now',
    breaks: 'client.sync.complete',
    title: 'begins the next synchronization at its own time instead of the high-water mark',
    conduct: { nextFrom: (_, now) => now },
    ordeals: ['sync-high-water-mark'],
  },
  {
    id: 'synchronizes-too-often',
    breaks: 'client.sync.interval',
    title: 'synchronizes in production whenever it is started',
    conduct: { keepsSyncInterval: false },
    ordeals: ['sync-in-production'],
  },
]
