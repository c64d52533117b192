import { expect, test } from '@playwright/test'
import type { RuleId } from '../../contract/rules.ts'
import type { History } from '../../suites/client/history.ts'
import { judgeHistory, verdictsOf } from '../../suites/client/judge.ts'
import type { WrittenStep } from './written-history.ts'
import { document, historyOf, issued, submitted, told } from './written-history.ts'

/** Every client rule in both directions: a history that keeps it, and the nearest that does not. */

interface Pair {
  readonly rule: RuleId
  readonly title: string
  readonly kept: History
  readonly broken: History
  /** Numbers of the steps that prove the conviction. */
  readonly proof: readonly number[]
}

const keys: WrittenStep = { operation: 'keys.list' }
const open: WrittenStep = {
  operation: 'sessions.openOnline',
  bearer: 'access',
  facts: { opened: 'S' },
}
const close: WrittenStep = { operation: 'sessions.closeOnline', bearer: 'access', session: 'S' }
const receipt: WrittenStep = { operation: 'receipts.invoice', bearer: 'access', receiptOf: 'E' }
const lost: WrittenStep = { ...submitted, outcome: 'unknown', status: undefined, sightings: [] }
const look: WrittenStep = { operation: 'sessions.invoices', bearer: 'access', session: 'S' }
const limited: WrittenStep = {
  operation: 'invoices.submit',
  outcome: 'fail',
  status: 429,
  retryAfter: 2,
  fault: '429, Retry-After 2',
  hash: 'hash-1',
}
const refusedKey: WrittenStep = {
  ...open,
  outcome: 'fail',
  status: 400,
  refusal: 'session-key-refused',
  facts: {},
}
const rotated = {
  at: 1500,
  kind: 'keys-rotated',
  words: 'rotated',
  subject: 'SymmetricKeyEncryption',
} as const
const page = (from: string, listed: readonly string[], more: object = {}): WrittenStep => ({
  operation: 'queries.metadata',
  bearer: 'access',
  listed,
  facts: {
    subjectType: 'subject2',
    dateType: 'permanentStorage',
    from,
    hasMore: false,
    isTruncated: false,
    ...more,
  },
})
const receiving = (beliefs: readonly string[], ...pages: WrittenStep[]): History =>
  historyOf(pages, {
    task: { documents: [], toReceive: ['A', 'B'] },
    held: [],
    beliefs: beliefs.map((number) => ({ document: number, outcome: 'accepted', number })),
  })
const expired: WrittenStep = {
  operation: 'sessions.openOnline',
  bearer: 'access',
  bearerId: 'old',
  outcome: 'fail',
  status: 403,
  refusal: 'expired-token',
}
const duplicate = { ...document, expect: 'duplicate', svcNumber: 'N-0' } as const
const told440 = told(440, { originalSvcNumber: 'N-0' })
const rejected = { ...issued, svcNumber: undefined, code: 440 }

const pairs: readonly Pair[] = [
  {
    rule: 'client.keys.chosen',
    title: 'reads the certificates before it encrypts',
    kept: historyOf([keys, open]),
    broken: historyOf([open, keys]),
    proof: [1],
  },
  {
    rule: 'client.keys.chosen',
    title: 'takes the key of the right purpose',
    kept: historyOf([keys, open]),
    broken: historyOf([keys, refusedKey]),
    proof: [1, 2],
  },
  {
    rule: 'client.keys.rotation',
    title: 'reads the certificates anew when a key is refused after a rotation',
    kept: historyOf([keys, keys, refusedKey, keys, open], { events: [rotated] }),
    broken: historyOf([keys, keys, refusedKey, refusedKey, open], { events: [rotated] }),
    proof: [3, 4],
  },
  {
    rule: 'client.duplicates.never-resent',
    title: 'leaves a document alone after 440',
    kept: historyOf([submitted, told440], {
      task: { documents: [duplicate] },
      held: [rejected],
      beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-0' }],
    }),
    broken: historyOf([submitted, told440, submitted], {
      task: { documents: [duplicate] },
      held: [rejected],
    }),
    proof: [2, 3],
  },
  {
    rule: 'client.duplicates.kept',
    title: 'keeps the number of the first issue',
    kept: historyOf([submitted, told440], {
      task: { documents: [duplicate] },
      held: [rejected],
      beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-0' }],
    }),
    broken: historyOf([submitted, told440], {
      task: { documents: [duplicate] },
      held: [rejected],
      beliefs: [{ document: 'doc-1', outcome: 'rejected' }],
    }),
    proof: [1, 2],
  },
  {
    rule: 'client.sync.interval',
    title: 'waits a quarter of an hour between two synchronizations in production',
    kept: {
      ...receiving(['A', 'B'], page('1', ['A', 'B']), { ...page('2', []), at: 900_000 }),
      environment: 'production',
    },
    broken: {
      ...receiving(['A', 'B'], page('1', ['A', 'B']), { ...page('2', []), at: 899_000 }),
      environment: 'production',
    },
    proof: [1, 2],
  },
  {
    rule: 'client.limits.respected',
    title: 'waits as long as Retry-After says',
    kept: historyOf([
      { ...limited, at: 0 },
      { ...submitted, at: 2010 },
    ]),
    broken: historyOf([
      { ...limited, at: 0 },
      { ...submitted, at: 1900 },
    ]),
    proof: [1, 2],
  },
  {
    rule: 'client.limits.respected',
    title: 'paces itself',
    kept: historyOf(Array.from({ length: 10 }, () => look)),
    broken: historyOf([
      ...Array.from({ length: 10 }, () => look),
      { ...look, outcome: 'fail', status: 429 },
    ]),
    proof: [11],
  },
  {
    rule: 'client.tokens.by-stage',
    title: 'shows the access token to operations only',
    kept: historyOf([{ ...look, bearer: 'access' }]),
    broken: historyOf([{ ...look, bearer: 'authentication' }]),
    proof: [1],
  },
  {
    rule: 'client.tokens.by-stage',
    title: 'shows no token to a signed address',
    kept: historyOf([{ operation: 'sessions.uploadPart', bearer: 'none' }]),
    broken: historyOf([{ operation: 'sessions.uploadPart', bearer: 'access' }]),
    proof: [1],
  },
  {
    rule: 'client.tokens.by-stage',
    title: 'puts no token into an address',
    kept: historyOf([{ ...look, bearer: 'access' }]),
    broken: historyOf([{ ...look, bearer: 'access', misplaced: ['a token in the address'] }]),
    proof: [1],
  },
  {
    rule: 'client.tokens.refreshed',
    title: 'renews an access token that ended',
    kept: historyOf([
      expired,
      { operation: 'auth.refresh', bearer: 'refresh' },
      { ...open, bearerId: 'new' },
    ]),
    broken: historyOf([expired, expired, expired]),
    proof: [1, 2, 3],
  },
  {
    rule: 'client.tokens.reauthenticated',
    title: 'begins again when the authentication token ran out',
    kept: historyOf([
      { operation: 'auth.redeem', bearer: 'authentication', outcome: 'fail', status: 401 },
      { operation: 'auth.token' },
    ]),
    broken: historyOf([
      { operation: 'auth.redeem', bearer: 'authentication', outcome: 'fail', status: 401 },
    ]),
    proof: [1],
  },
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
    rule: 'client.faults.survived',
    title: 'loses no document',
    kept: historyOf([{ ...lost, fault: 'cut' }, look, submitted]),
    broken: historyOf([{ ...lost, fault: 'cut' }], {
      held: [],
      beliefs: [{ document: 'doc-1', outcome: 'rejected' }],
    }),
    proof: [1],
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
]

for (const { rule, title, kept, broken, proof } of pairs)
  test(`${rule}: ${title}`, () => {
    const held = judgeHistory(kept).filter((opinion) => opinion.rule === rule)
    expect(held.map(({ verdict }) => verdict)).toContain('pass')
    expect(held.map(({ verdict }) => verdict)).not.toContain('fail')
    const convictions = judgeHistory(broken).filter(
      (opinion) => opinion.rule === rule && opinion.verdict === 'fail',
    )
    expect(convictions.map(({ steps }) => steps)).toEqual([proof])
  })

test('a document is lost, doubled, believed wrongly or unknown', () => {
  const harms = [
    historyOf([submitted], { held: [] }),
    historyOf([submitted], { held: [issued, { ...issued, svcNumber: 'N-2' }] }),
    historyOf([submitted], {
      beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-9' }],
    }),
    historyOf([submitted], { beliefs: [{ document: 'doc-1', outcome: 'unknown' }] }),
    historyOf([submitted], {
      held: [issued, { ...issued, hash: 'h', number: 'FV/1-2', svcNumber: 'N-2' }],
    }),
  ].map((history) => judgeHistory(history).find(({ document: of }) => of !== undefined)?.reason)
  expect(harms[0]).toContain('never issued')
  expect(harms[1]).toContain('issued it 2 times')
  expect(harms[2]).toContain('N-9')
  expect(harms[3]).toContain('unknown')
  expect(harms[4]).toContain('under another number')
})

test('a rule that no history exercises has no pass, and a SHOULD that does not hold warns', () => {
  const opinions = judgeHistory(pairs.find(({ rule }) => rule === 'client.sync.interval')!.broken)
  const placed = opinions.map((opinion) => ({ ...opinion, ordeal: 'one' }))
  const verdict = (strict: boolean, rule: RuleId) =>
    verdictsOf(placed, { strict }).find((one) => one.rule === rule)?.verdict
  expect(verdict(false, 'client.sync.interval')).toBe('warn')
  expect(verdict(true, 'client.sync.interval')).toBe('fail')
  expect(verdict(false, 'client.keys.rotation')).toBe('not-exercised')
})

test('answers alone convict as the journal does, where both can see', () => {
  const steps = [submitted, told(435)]
  const { held: _, ...seen } = historyOf(steps, { source: 'recording' })
  const rules = (history: History) =>
    judgeHistory(history)
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ rule }) => rule)
  expect(rules(seen)).toContain('client.encryption.right')
})
