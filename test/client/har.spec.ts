import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import { readHar } from '../../suites/client/har.ts'
import { judgeHistory } from '../../suites/client/judge.ts'

const base = 'https://clearing.example/api/v2'
const token = (text: string) => ({ token: text, validUntil: '2026-06-15T09:00:00Z' })

interface Written {
  /** Seconds after the first call. */
  readonly at: number
  readonly method?: string
  readonly path: string
  readonly bearer?: string
  readonly request?: unknown
  readonly status: number
  readonly retryAfter?: string
  readonly answer?: unknown
  readonly isBase64?: true
}

const entry = ({ at, method = 'POST', path, bearer, request, status, ...answer }: Written) => {
  const text = answer.answer === undefined ? '' : JSON.stringify(answer.answer)
  return {
    startedDateTime: new Date(Date.parse('2026-06-15T08:00:00Z') + at * 1000).toISOString(),
    time: 20,
    request: {
      method,
      url: base + path,
      headers: bearer === undefined ? [] : [{ name: 'Authorization', value: `Bearer ${bearer}` }],
      postData: { text: request === undefined ? '' : JSON.stringify(request) },
    },
    response: {
      status,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        ...(answer.retryAfter === undefined
          ? []
          : [{ name: 'Retry-After', value: answer.retryAfter }]),
      ],
      content: answer.isBase64
        ? { text: Buffer.from(text).toString('base64'), encoding: 'base64' }
        : { text },
    },
  }
}

const har = (entries: readonly Written[]) =>
  readHar(JSON.stringify({ log: { version: '1.2', entries: entries.map(entry) } }), dialects.svc)

const login: readonly Written[] = [
  {
    at: 0,
    path: '/auth/svc-token',
    request: { challenge: 'c', encryptedToken: 'AAAA' },
    status: 202,
    answer: { referenceNumber: 'A', authenticationToken: token('authentication-1') },
    isBase64: true,
  },
  {
    at: 1,
    path: '/auth/token/redeem',
    bearer: 'authentication-1',
    status: 200,
    answer: { accessToken: token('access-1'), refreshToken: token('refresh-1') },
  },
]
const submission = { path: '/sessions/online/S/invoices', request: { invoiceHash: 'hash-1' } }

test('tokens are recognized, and an entry without a status got no answer', () => {
  const { steps } = har([
    ...login,
    { at: 2, method: 'GET', path: '/sessions/S', bearer: 'refresh-1', status: 403 },
    { at: 3, ...submission, bearer: 'access-1', status: 0 },
  ])
  expect(steps.map(({ operation, bearer, outcome }) => [operation, bearer, outcome])).toEqual([
    ['auth.token', 'none', 'ok'],
    ['auth.redeem', 'authentication', 'ok'],
    ['sessions.status', 'refresh', 'fail'],
    ['invoices.submit', 'access', 'unknown'],
  ])
})

test('convicts for the steps that it shows', () => {
  const history = har([
    ...login,
    { at: 2, method: 'GET', path: '/sessions/S', bearer: 'refresh-1', status: 403 },
    { at: 3, ...submission, bearer: 'access-1', status: 429, retryAfter: '4' },
    { at: 5, ...submission, bearer: 'access-1', status: 0 },
    { at: 6, ...submission, bearer: 'access-1', status: 202, answer: { referenceNumber: 'E' } },
  ])
  const convictions = judgeHistory(history).filter(({ verdict }) => verdict === 'fail')
  expect(convictions.map(({ rule, variant, steps }) => [rule, variant, steps])).toEqual([
    ['client.limits.respected', 'waits', [4, 5]],
    ['client.tokens.by-stage', undefined, [3]],
    ['client.outcome.unknown-resolved', undefined, [5, 6]],
  ])
})

test('a 429 is the fault of the client only where its calls exceed the table', () => {
  const refusedAfter = (calls: number) =>
    judgeHistory(
      har([
        ...login,
        ...Array.from({ length: calls }, (_, i) => ({
          at: 2 + i / 100,
          ...submission,
          bearer: 'access-1',
          status: 202,
          answer: { referenceNumber: `E${i}` },
        })),
        { at: 2.9, ...submission, bearer: 'access-1', status: 429, retryAfter: '1' },
      ]),
    ).find(({ rule, variant }) => rule === 'client.limits.respected' && variant === 'paces')
  expect(refusedAfter(3)).toMatchObject({ verdict: 'not-verifiable' })
  expect(refusedAfter(30)).toMatchObject({ verdict: 'fail' })
})

test('names the entry that it cannot read', () => {
  const broken = { log: { entries: [{ startedDateTime: 'now', request: { url: base } }] } }
  expect(() => readHar(JSON.stringify(broken), dialects.svc)).toThrow('entry 1: expected')
  expect(() => readHar('{}', dialects.svc)).toThrow('expected log.entries')
})
