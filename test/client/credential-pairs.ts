import type { Pair } from './pair.ts'
import { historyOf, issued, submitted, told } from './written-history.ts'
import {
  keys,
  open,
  look,
  limited,
  refusedKey,
  rotated,
  page,
  receiving,
  expired,
  duplicate,
  told440,
  rejected,
  redeemed,
} from './written-steps.ts'

export const credentialPairs: readonly Pair[] = [
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
    rule: 'client.encryption.right',
    title: 'pads the key of a session as the contract says, which is no matter of its choice',
    kept: historyOf([keys, open, submitted, told(200)]),
    broken: historyOf([keys, { ...refusedKey, isMisencrypted: true }], { task: { documents: [] } }),
    proof: [2],
    alone: true,
  },
  {
    rule: 'client.requests.well-formed',
    title:
      'sends what the interface describes; documents that it could not send come to harm by that',
    kept: historyOf([keys, open, submitted, told(200)]),
    broken: historyOf(
      [keys, { ...refusedKey, refusal: 'unreadable-body', malformed: 'not JSON' }],
      { held: [] },
    ),
    proof: [2],
    alone: true,
  },
  {
    rule: 'client.requests.well-formed',
    title: 'sends the documents as they are',
    kept: historyOf([keys, open, submitted, told(200)]),
    broken: historyOf([keys, open, { ...submitted, hash: 'hash-with-bom' }], { held: [] }),
    proof: [3],
    alone: true,
  },
  {
    rule: 'client.polling.bounded',
    title: 'redeems a login when it has succeeded',
    kept: historyOf([
      { operation: 'auth.status', bearer: 'authentication', code: 100 },
      { operation: 'auth.status', bearer: 'authentication', code: 200 },
      redeemed,
      submitted,
      told(200),
    ]),
    broken: historyOf(
      [
        { operation: 'auth.status', bearer: 'authentication', code: 100 },
        { ...redeemed, outcome: 'fail', status: 400 },
      ],
      { held: [] },
    ),
    proof: [2],
    alone: true,
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
    rule: 'client.duplicates.never-resent',
    title: 'makes no other document of a duplicate',
    kept: historyOf([submitted, told440], {
      task: { documents: [duplicate] },
      held: [rejected],
      beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-0' }],
    }),
    broken: historyOf([submitted, told440, { ...submitted, number: 'FV/1-2', hash: 'hash-2' }], {
      task: { documents: [duplicate] },
      held: [rejected, { ...issued, hash: 'hash-2', number: 'FV/1-2', svcNumber: 'N-2' }],
      beliefs: [{ document: 'doc-1', outcome: 'accepted', number: 'N-2' }],
    }),
    proof: [3],
    alone: true,
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
    rule: 'client.tokens.by-stage',
    title: 'refreshes with the refresh token, and with the access token breaks this rule alone',
    kept: historyOf([{ operation: 'auth.refresh', bearer: 'refresh' }], {
      task: { documents: [] },
    }),
    broken: historyOf(
      Array.from({ length: 4 }, () => ({
        ...expired,
        operation: 'auth.refresh' as const,
        status: 401,
        refusal: 'wrong-token',
      })),
      { task: { documents: [] } },
    ),
    proof: [4],
    alone: true,
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
]
