import { expect, test } from '@playwright/test'
import type { OperationId } from '../../contract/endpoints.ts'
import { limits } from '../../contract/limits.ts'
import { answerRules } from '../../suites/support/judging/contradictions.ts'
import { wrongLifetimes } from '../../suites/support/judging/stated-lifetimes.ts'

/** Lifetimes are read off every answer that states them; an answer that states none is not wrong. */

const jwt = (payload: object): string =>
  ['{}', JSON.stringify(payload), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')

const lasting = (seconds: number) => ({
  token: jwt({ iat: 1_780_000_000, exp: 1_780_000_000 + seconds }),
})

const certificate = (validFrom: string, validTo: string) => ({
  certificates: [{ validFrom, validTo }],
})

const rulesOf = (operation: OperationId, body: unknown, status = 200) =>
  wrongLifetimes({
    operation,
    request: { method: 'POST', url: 'http://reference.test/api/v2', headers: {} },
    status,
    headers: {},
    bytes: new Uint8Array(),
    text: '',
    body,
    startedAt: 0,
    ms: 1,
    span: [1, 2],
  }).map(({ rule }) => rule)

const week = limits['refreshToken.lifetime'].value
const access = limits['accessToken.lifetime'].value

for (const [what, operation, body, rule] of [
  [
    'an access token of an hour',
    'auth.redeem',
    { accessToken: lasting(3600) },
    'auth.access-token.jwt-lifetime',
  ],
  [
    'one of a minute after a refresh',
    'auth.refresh',
    { accessToken: lasting(60) },
    'auth.access-token.jwt-lifetime',
  ],
  [
    'a refresh token of eight days',
    'auth.redeem',
    { refreshToken: lasting(week + 86_400) },
    'auth.refresh.seven-days',
  ],
  [
    'a certificate of two years and a day',
    'certificates.query',
    certificate('2026-03-01T00:00:00Z', '2028-03-02T00:00:00Z'),
    'certificates.two-years',
  ],
] as const)
  test(`${what} breaks ${rule}`, () => {
    expect(rulesOf(operation, body)).toEqual([rule])
    expect(rulesOf(operation, body, 400), 'in a refusal').toEqual([])
    expect(answerRules).toContain(rule)
  })

for (const [what, operation, body] of [
  ['both tokens', 'auth.redeem', { accessToken: lasting(access), refreshToken: lasting(week) }],
  ['opaque tokens', 'auth.redeem', { accessToken: { token: 'opaque' }, refreshToken: 'opaque' }],
  ['no body', 'auth.refresh', undefined],
  [
    'a leap year',
    'certificates.query',
    certificate('2027-02-28T00:00:00Z', '2029-02-28T00:00:00Z'),
  ],
  ['a list without dates', 'certificates.query', { certificates: [{}] }],
  ['another operation', 'auth.token', { accessToken: lasting(3600) }],
] as const)
  test(`no lifetime is wrong: ${what}`, () => {
    expect(rulesOf(operation, body)).toEqual([])
  })
