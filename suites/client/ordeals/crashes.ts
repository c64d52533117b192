import type { Ordeal } from '../ordeal.ts'

const unknown = {
  rules: ['client.outcome.unknown-resolved'],
  documents: { accepted: 3 },
} as const
const survived = {
  rules: ['client.faults.survived'],
  variant: 'cut',
  documents: { accepted: 2 },
} as const

/** The examiner kills the client and starts it again. */
export const crashes = {
  'killed-before-submit': {
    ...unknown,
    title: 'the client is killed before a submission arrives',
    conditions: (draw) => [
      {
        on: 'invoices.submit',
        from: draw.int(1, 3),
        fault: { kind: 'lost-before' },
        act: { kind: 'kill' },
      },
    ],
  },
  'killed-after-submit': {
    ...unknown,
    title: 'the client is killed after a submission was carried out',
    conditions: (draw) => [
      {
        on: 'invoices.submit',
        from: draw.int(2, 3),
        fault: { kind: 'lost-after' },
        act: { kind: 'kill' },
        when: 'after',
      },
    ],
  },
  'killed-at-close': {
    ...survived,
    title: 'the client is killed as it closes its session',
    rules: ['client.faults.survived', 'client.receipt.fetched'],
    conditions: () => [
      {
        on: 'sessions.closeOnline',
        from: 1,
        fault: { kind: 'lost-after' },
        act: { kind: 'kill' },
        when: 'after',
      },
    ],
  },
  'killed-at-drawn-moments': {
    ...survived,
    title: 'the client is killed twice, at drawn moments',
    rules: ['client.faults.survived', 'client.outcome.unknown-resolved'],
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
  },
  'killed-in-batch': {
    ...survived,
    title: 'the client is killed as it closes its package',
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
  },
} as const satisfies Record<string, Ordeal>
