import type { Ordeal } from '../ordeal.ts'
import { always, slowSubmissions } from './shapes.ts'

const renewing = { rules: ['client.tokens.refreshed'] } as const
const rotation = { rules: ['client.keys.rotation'], documents: { accepted: 2 } } as const
const choice = { rules: ['client.keys.chosen'], documents: { accepted: 2 } } as const

/** The clock of the service differs from the client's by an amount that the login tolerates. */
const anotherClock = (aheadMs: number) => ({
  ...renewing,
  documents: { accepted: 3 },
  service: {
    aheadMs,
    lifetimes: { 'accessToken.lifetime': 5, 'serviceToken.clockSkew': 7200 },
  },
  conditions: () => [slowSubmissions(3)],
})

/** Tokens that end, keys that change. */
export const credentials = {
  'access-token-expires': {
    ...renewing,
    title: 'access tokens live for five seconds',
    documents: { accepted: 4 },
    service: { lifetimes: { 'accessToken.lifetime': 5 } },
    conditions: () => [slowSubmissions(4)],
  },
  'refresh-token-expires': {
    ...renewing,
    title: 'refresh tokens live for six seconds, access tokens for three',
    documents: { accepted: 4 },
    service: { lifetimes: { 'accessToken.lifetime': 3, 'refreshToken.lifetime': 6 } },
    conditions: () => [slowSubmissions(4, 2500)],
  },
  'login-revoked': {
    ...renewing,
    title: 'the login is revoked while the client works',
    documents: { accepted: 4 },
    service: { lifetimes: { 'accessToken.lifetime': 4 } },
    conditions: (draw) => [
      { on: 'invoices.submit', from: draw.int(1, 2), act: { kind: 'revoke-login' }, when: 'after' },
      slowSubmissions(4),
    ],
  },
  'token-revoked': {
    title: 'the service token is revoked while the client works',
    rules: ['client.polling.bounded'],
    documents: { either: 3 },
    service: { lifetimes: { 'accessToken.lifetime': 4 } },
    conditions: () => [
      { on: 'invoices.submit', from: 2, act: { kind: 'revoke-login' } },
      { on: 'invoices.submit', from: 2, act: { kind: 'revoke-token' } },
      slowSubmissions(4),
    ],
  },
  'permission-withdrawn': {
    title: 'the permission to issue is withdrawn while the client works',
    rules: ['client.polling.bounded', 'client.faults.survived'],
    documents: { either: 3 },
    service: { lifetimes: { 'accessToken.lifetime': 4 } },
    conditions: () => [
      { on: 'invoices.submit', from: 2, act: { kind: 'withdraw-permission' } },
      slowSubmissions(4),
    ],
  },
  'authentication-token-expires': {
    title: 'an authentication takes longer than its token lives',
    rules: ['client.tokens.reauthenticated', 'client.polling.bounded'],
    documents: { accepted: 1 },
    service: { lifetimes: { 'authenticationToken.lifetime': 3 } },
    conditions: () => [
      { on: 'auth.status', from: 1, lastsMs: 4000, fault: { kind: 'pending', code: 100 } },
    ],
  },
  'clock-ahead': {
    ...anotherClock(3_600_000),
    title: 'the clock of the service is an hour ahead of the client',
  },
  'clock-behind': {
    ...anotherClock(-3_600_000),
    title: 'the clock of the service is an hour behind the client',
  },
  'key-rotated-before-open': {
    ...rotation,
    title: 'the key for session keys is rotated after the client has read the list',
    conditions: () => [
      {
        on: 'sessions.openOnline',
        from: 1,
        act: { kind: 'rotate', usage: 'SymmetricKeyEncryption', overlapMs: 0 },
      },
    ],
  },
  'key-rotated-before-login': {
    ...rotation,
    title: 'the key for service tokens is rotated after the client has read the list',
    documents: { accepted: 1 },
    conditions: () => [
      {
        on: 'auth.token',
        from: 1,
        act: { kind: 'rotate', usage: 'SvcTokenEncryption', overlapMs: 0 },
      },
    ],
  },
  'key-rotated-between-sessions': {
    ...rotation,
    title: 'the key for session keys is rotated while a session is open',
    documents: { accepted: 4 },
    service: { sessionInvoices: 2 },
    conditions: () => [
      {
        on: 'invoices.submit',
        from: 1,
        act: { kind: 'rotate', usage: 'SymmetricKeyEncryption', overlapMs: 0 },
      },
    ],
  },
  'two-valid-keys': {
    ...choice,
    title: 'two keys of one usage are valid',
    conditions: () => [
      {
        on: 'any',
        from: 1,
        act: { kind: 'rotate', usage: 'SymmetricKeyEncryption', overlapMs: 3_600_000 },
      },
    ],
  },
  'expired-key-listed': {
    ...choice,
    title: 'expired certificates are still in the list, first',
    conditions: () => [
      { on: 'keys.list', from: 1, times: always, fault: { kind: 'keys', first: 'expired' } },
    ],
  },
  'wrong-usage-first': {
    ...choice,
    title: 'a certificate of another usage is the first of the list',
    conditions: () => [
      { on: 'keys.list', from: 1, times: always, fault: { kind: 'keys', first: 'other-usage' } },
    ],
  },
} as const satisfies Record<string, Ordeal>
