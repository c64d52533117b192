import type { History } from '../../suites/client/history.ts'
import { notInTime } from '../../suites/client/history.ts'
import type { Pair } from './pair.ts'
import type { WrittenStep } from './written-history.ts'
import { document, historyOf, issued, submitted, told } from './written-history.ts'
import {
  keys,
  open,
  close,
  receipt,
  lost,
  look,
  limited,
  page,
  receiving,
} from './written-steps.ts'

const tokenLost: WrittenStep = {
  operation: 'tokens.create',
  outcome: 'unknown',
  status: undefined,
  committed: true,
}

const expiredLink: WrittenStep = {
  operation: 'receipts.link',
  path: '/receipts/E',
  outcome: 'fail',
  status: 403,
}
const failedLook: WrittenStep = { ...told(150), outcome: 'fail', status: 503, sightings: [] }
const unknownCode: WrittenStep = { ...told(160), fault: 'unknown code 160, still pending' }
const unknownCodes: Partial<History> = {
  blames: 'client.fields.unknown-ignored',
  task: { documents: [{ ...document, expect: 'rejected' }] },
  held: [{ ...issued, svcNumber: undefined, code: 450 }],
}

const sessionsWith = (...vectors: readonly string[]): WrittenStep[] =>
  vectors.flatMap((initVector, place) => {
    const session = `S-${place}`
    return [
      { ...open, facts: { opened: session, initVector } },
      { ...submitted, session, sightings: [] },
    ]
  })

export const documentPairs: readonly Pair[] = [
  {
    rule: 'client.encryption.right',
    title: 'sends what decrypts',
    kept: historyOf([submitted, told(200)]),
    broken: historyOf([submitted, told(435)], {
      held: [{ ...issued, svcNumber: undefined, code: 435 }],
    }),
    proof: [1, 2],
  },
  {
    rule: 'client.polling.bounded',
    title: 'pauses between two looks',
    kept: historyOf([submitted, told(150), told(150), told(200)]),
    broken: historyOf([
      submitted,
      ...Array.from({ length: 12 }, (_, place) => ({ ...told(150), at: 1000 + place * 20 })),
    ]),
    proof: [2, 3, 4, 5, 6],
  },
  {
    rule: 'client.polling.bounded',
    title: 'stops at the outcome',
    kept: historyOf([submitted, told(150), told(200)]),
    broken: historyOf([submitted, ...Array.from({ length: 8 }, () => told(200))]),
    proof: [3, 4, 5, 6, 7],
  },
  {
    rule: 'client.polling.bounded',
    title: 'takes a rejection for what it is',
    kept: historyOf([submitted, told(150), told(450)], {
      task: { documents: [{ ...document, expect: 'rejected' }] },
      held: [{ ...issued, svcNumber: undefined, code: 450 }],
      beliefs: [{ document: 'doc-1', outcome: 'rejected' }],
    }),
    broken: historyOf([submitted, told(150), told(450)], {
      blames: 'client.polling.bounded',
      task: { documents: [{ ...document, expect: 'rejected' }] },
      held: [{ ...issued, svcNumber: undefined, code: 450 }],
    }),
    proof: [1, 3],
  },
  {
    rule: 'client.outcome.unknown-resolved',
    title: 'finds out what became of a submission before it sends it again',
    kept: historyOf([lost, look, submitted]),
    broken: historyOf([lost, submitted, look]),
    proof: [1, 2],
  },
  {
    rule: 'client.outcome.unknown-resolved',
    title: 'does not send again what is in processing',
    kept: historyOf([lost, look, submitted, told(150), told(200)]),
    broken: historyOf([submitted, told(150), submitted, told(200)]),
    proof: [1, 2, 3],
  },
  {
    rule: 'client.receipt.fetched',
    title: 'closes the session',
    kept: historyOf([open, submitted, told(200), close, receipt]),
    broken: historyOf([open, submitted, told(200), receipt]),
    proof: [1],
  },
  {
    rule: 'client.receipt.fetched',
    title: 'fetches the receipt',
    kept: historyOf([open, submitted, told(200), close, receipt]),
    broken: historyOf([
      open,
      submitted,
      told(200),
      close,
      { ...receipt, outcome: 'fail', status: 410 },
    ]),
    proof: [5],
  },
  {
    rule: 'client.receipt.fetched',
    title: 'calls an expired link a few times at most, also where it has to be stopped',
    kept: historyOf([open, submitted, told(200), close, expiredLink, told(200), receipt]),
    broken: historyOf(
      [open, submitted, told(200), close, ...Array.from({ length: 9 }, () => expiredLink)],
      { events: [{ at: 58_000, kind: 'client-killed', words: notInTime }] },
    ),
    proof: [5, 6, 7],
  },
  {
    rule: 'client.faults.survived',
    title: 'loses no document',
    kept: historyOf([{ ...lost, fault: 'cut' }, look, submitted]),
    broken: historyOf([{ ...lost, fault: 'cut' }], {
      blames: 'client.faults.survived',
      held: [],
      beliefs: [{ document: 'doc-1', outcome: 'rejected' }],
    }),
    proof: [1],
  },
  {
    rule: 'client.outcome.exactly-once',
    title: 'loses no document where nothing goes wrong',
    kept: historyOf([submitted, told(200)]),
    broken: historyOf([keys, open, close], { held: [], beliefs: [] }),
    proof: [],
  },
  {
    rule: 'client.outcome.exactly-once',
    title: 'records the number that the service states, whatever the conditions test',
    kept: historyOf([submitted, told(200)]),
    broken: historyOf([submitted, told(200)], {
      blames: 'client.limits.respected',
      beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-9' }],
    }),
    proof: [1, 2],
    alone: true,
  },
  {
    rule: 'client.faults.survived',
    title: 'starts no storm of repetitions',
    kept: historyOf([{ ...limited, status: 503, retryAfter: undefined }, submitted]),
    broken: historyOf(
      Array.from({ length: 9 }, (_, place) => ({
        ...limited,
        status: 503,
        retryAfter: undefined,
        at: place * 50,
      })),
    ),
    proof: [1, 2, 3, 4],
  },
  {
    rule: 'client.faults.survived',
    title: 'waits before it repeats a look that failed',
    kept: historyOf([submitted, failedLook, told(200)]),
    broken: historyOf([
      submitted,
      ...Array.from({ length: 12 }, (_, place) => ({ ...failedLook, at: 1000 + place * 20 })),
      receipt,
    ]),
    proof: [2, 3, 4, 5],
    alone: true,
  },
  {
    rule: 'client.fields.unknown-ignored',
    title: 'ignores unknown fields',
    kept: historyOf([{ ...submitted, fault: 'unknown fields' }]),
    broken: historyOf([{ ...submitted, fault: 'unknown fields' }], {
      blames: 'client.fields.unknown-ignored',
      held: [],
      beliefs: [],
    }),
    proof: [1],
  },
  {
    rule: 'client.fields.unknown-ignored',
    title: 'takes a code that it does not know for no outcome',
    kept: historyOf([submitted, unknownCode, told(450)], {
      ...unknownCodes,
      beliefs: [{ document: 'doc-1', outcome: 'rejected' }],
    }),
    broken: historyOf([submitted, unknownCode], unknownCodes),
    proof: [1, 2],
    alone: true,
  },
  {
    rule: 'client.fields.unknown-ignored',
    title: 'asks again after a code that it does not know',
    kept: historyOf([submitted, unknownCode, told(450)], { ...unknownCodes, beliefs: undefined }),
    broken: historyOf([submitted, unknownCode], { ...unknownCodes, beliefs: undefined }),
    proof: [2],
    alone: true,
  },
  {
    rule: 'client.sync.complete',
    title: 'receives everything',
    kept: receiving(['A', 'B'], page('1', ['A']), page('2', ['B'])),
    broken: receiving(['A'], page('1', ['A'])),
    proof: [1],
  },
  {
    rule: 'client.sync.complete',
    title: 'receives everything once',
    kept: receiving(['A', 'B'], page('1', ['A', 'B']), page('2', ['B'])),
    broken: receiving(['A', 'B', 'B'], page('1', ['A', 'B']), page('2', ['B'])),
    proof: [1, 2],
  },
  {
    rule: 'client.sync.complete',
    title: 'goes on from the last date of a truncated answer',
    kept: receiving(
      ['A', 'B'],
      page('1', ['A'], { isTruncated: true, hasMore: true }),
      page('2', ['B']),
    ),
    broken: receiving(
      ['A'],
      ...Array.from({ length: 8 }, () => page('1', ['A'], { isTruncated: true, hasMore: true })),
    ),
    proof: [1, 2, 3],
  },
  {
    rule: 'client.outcome.unknown-resolved',
    title: 'asks for the outcome of a submission before it sends it again',
    kept: historyOf([lost, look, submitted, look, submitted]),
    broken: historyOf([submitted, submitted, look]),
    proof: [1, 2],
  },
  {
    rule: 'client.outcome.unknown-resolved',
    title: 'finds the service token whose creation got no answer',
    kept: historyOf([
      tokenLost,
      { operation: 'tokens.list' },
      { operation: 'tokens.revoke' },
      { operation: 'tokens.create' },
    ]),
    broken: historyOf([tokenLost, { operation: 'tokens.create' }]),
    proof: [1, 2],
  },
  {
    rule: 'client.outcome.unknown-resolved',
    title: 'revokes the service token whose value was lost',
    kept: historyOf([
      tokenLost,
      { operation: 'tokens.list' },
      { operation: 'tokens.revoke' },
      { operation: 'tokens.create' },
    ]),
    broken: historyOf([tokenLost, { operation: 'tokens.list' }, { operation: 'tokens.create' }]),
    proof: [1, 2, 3],
  },
  {
    rule: 'client.encryption.right',
    title: 'draws an IV for each session',
    kept: historyOf(sessionsWith('a', 'b')),
    broken: historyOf(sessionsWith('a', 'a')),
    proof: [1, 3],
  },
  {
    rule: 'client.faults.survived',
    title: 'does not repeat what is refused each time',
    kept: historyOf([{ ...limited, status: 503, retryAfter: undefined }, submitted]),
    broken: historyOf(
      Array.from({ length: 20 }, () => ({
        ...open,
        method: 'POST',
        outcome: 'fail' as const,
        status: 400,
      })),
    ),
    proof: [1, 2, 3, 4],
  },
]
