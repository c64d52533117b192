import { expect, test } from '@playwright/test'
import { dialects } from '../../contract/dialects.ts'
import type { Dialect } from '../../contract/dialect.ts'
import { createClient } from '../../lib/client.ts'
import type { ClientOptions } from '../../lib/client.ts'
import type { WireRequest } from '../../lib/exchange.ts'
import { chooseKey } from '../../lib/flows/keys.ts'
import { settle } from '../../lib/flows/settle.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { Inconclusive, outcomeOf } from '../../lib/outcome.ts'
import { createPacer } from '../../lib/pacer.ts'
import { parseRetryAfter, retryAfterMs } from '../../lib/retry-after.ts'
import { OperationAbsent } from '../../lib/wire.ts'

interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A client whose requests end here, with these answers in turn. */
const clientOf = (dialect: Dialect, answers: Answer[], more: Partial<ClientOptions> = {}) => {
  const requests: WireRequest[] = []
  const client = createClient({
    send: async (request) => {
      requests.push(request)
      const { status = 200, headers = {}, body } = answers.shift() ?? {}
      const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
      return { status, headers, body: nodeCodec.utf8(text) }
    },
    baseUrl: `http://host:1${dialect.prefix}`,
    dialect,
    codec: nodeCodec,
    sleep: async () => {},
    now: () => 0,
    ...more,
  })
  return { client: client.with({ bearer: 'ACCESS' }), requests }
}

const { svc, ksef } = dialects

test('calls an operation as the specification documents it', async () => {
  const { client, requests } = clientOf(svc, [{ status: 201, body: { referenceNumber: 'r' } }])
  const exchange = await client.call('sessions.openOnline', { body: { initVector: 'aXY=' } })
  expect(requests).toEqual([
    {
      method: 'POST',
      url: 'http://host:1/api/v2/sessions/online',
      headers: {
        accept: '*/*',
        'content-type': 'application/json',
        authorization: 'Bearer ACCESS',
      },
      body: '{"initVector":"aXY="}',
    },
  ])
  expect(exchange).toMatchObject({ status: 201, body: { referenceNumber: 'r' } })
})

test('calls an operation as another dialect spells it', async () => {
  const number = '5265877635-20250826-0100001AF629-AF'
  const { client, requests } = clientOf(ksef, [
    {},
    { body: { status: { code: 200 }, ksefNumber: number } },
    {},
  ])
  await client.call('invoices.bySvcNumber', { path: { svcNumber: number } })
  const { body } = await client.call('invoices.inSession', {
    path: { referenceNumber: 's', invoiceReferenceNumber: 'i' },
  })
  await client.call('permissions.revoke', { path: { permissionId: 'p/q' } })
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET http://host:1/v2/invoices/ksef/${number}`,
    'GET http://host:1/v2/sessions/s/invoices/i',
    'DELETE http://host:1/v2/permissions/common/grants/p%2Fq',
  ])
  expect(body).toEqual({ status: { code: 200 }, svcNumber: number })
})

test('does not call an operation that the dialect lacks', async () => {
  const { client, requests } = clientOf(ksef, [])
  await expect(client.call('invoices.send')).rejects.toThrow(OperationAbsent)
  expect(requests).toEqual([])
})

test('calls the limits resources at the origin, and other operations below the prefix', async () => {
  const { client, requests } = clientOf(svc, [])
  await client.call('limits.context')
  await client.call('limits.context', { atOrigin: false })
  expect(requests.map(({ url }) => url)).toEqual([
    'http://host:1/limits/context',
    'http://host:1/api/v2/limits/context',
  ])
})

test('sends malformed input unmodified', async () => {
  const { client, requests } = clientOf(svc, [])
  await client.call('invoices.submit', {
    path: { referenceNumber: 's' },
    alias: 0,
    method: 'PATCH',
    bearer: null,
    body: '{"broken',
    media: 'text/plain',
    headers: { Accept: undefined, 'X-Error-Format': 'problem-details' },
    query: { a: [1, 2], b: undefined, 'c d': 'e&f' },
  })
  expect(requests).toEqual([
    {
      method: 'PATCH',
      url: 'http://host:1/api/v2/sessions/online/s/invoices/?a=1&a=2&c%20d=e%26f',
      headers: { 'content-type': 'text/plain', 'x-error-format': 'problem-details' },
      body: '{"broken',
    },
  ])
})

test('sends no bearer to public operations by default', async () => {
  const { client, requests } = clientOf(svc, [])
  await client.call('auth.challenge')
  await client.call('auth.refresh')
  await client.call('auth.challenge', { bearer: 'X' })
  expect(requests.map(({ headers }) => headers['authorization'])).toEqual([
    undefined,
    undefined,
    'Bearer X',
  ])
})

test('rejects a call with a missing path parameter', async () => {
  const { client } = clientOf(svc, [])
  await expect(client.call('auth.status')).rejects.toThrow('referenceNumber')
})

/** A pacer that notes how long it would have slept; its clock stands still unless given. */
const pacerNoting = (slept: number[], now = () => 0) =>
  createPacer({
    now,
    sleep: async (ms) => {
      slept.push(ms)
    },
    marginMs: 0,
  })

test('paces calls by context and rule and waits after a 429', async () => {
  const slept: number[] = []
  const pace = pacerNoting(slept)
  const refused = { status: 429, headers: { 'retry-after': '5' } }
  const { client } = clientOf(svc, [refused, {}, {}, refused, refused, refused, refused], { pace })
  // A client that waits for the limits calls again; with `pace: false`, the refusal itself is the result.
  expect((await client.call('tokens.list')).status).toBe(200)
  expect(slept).toEqual([5000])
  expect((await client.call('keys.list')).status).toBe(200)
  expect(slept).toEqual([5000])
  expect((await client.call('keys.list', { pace: false })).status).toBe(429)
  expect(slept).toEqual([5000])
  // But not for ever: the number of attempts is limited.
  expect((await client.call('sessions.list')).status).toBe(429)
  expect(slept).toEqual([5000, 5000, 5000])
})

test('a call whose bearer is refused counts for no context, but for the address if it is public', async () => {
  const path = { referenceNumber: 'r' }
  for (const operation of ['tokens.list', 'auth.status'] as const) {
    const slept: number[] = []
    const refused = Array.from({ length: 60 }, () => ({ status: 401 }))
    const { client } = clientOf(svc, [...refused, {}], { pace: pacerNoting(slept) })
    for (let call = 0; call < refused.length; call += 1)
      await client.call(operation, { path, bearer: 'X', pace: false })
    await client.call(operation, { path })
    expect(slept.length, operation).toBe(operation === 'auth.status' ? 1 : 0)
  }
})

test('a call counts from its response, because it may have arrived that late', async () => {
  let now = 0
  const slept: number[] = []
  const pace = pacerNoting(slept, () => now)
  const thresholds = { perSecond: 1 }
  const ticket = await pace.wait('me', 'rule', thresholds)
  now = 300
  void pace.answered(ticket)
  now = 400
  await pace.wait('me', 'rule', thresholds)
  expect(slept).toEqual([900])
})

test('settling ends at the first final status and has a time limit', async () => {
  const look = (codes: number[]) => {
    const { client } = clientOf(
      svc,
      codes.map((code) => ({ body: { status: { code, description: 'd', details: ['x'] } } })),
      { polling: { everyMs: 1, times: 4 } },
    )
    return settle(client, 'invoice', 'await', () =>
      client.call('invoices.inSession', {
        path: { referenceNumber: 's', invoiceReferenceNumber: 'i' },
      }),
    )
  }
  expect(await look([100, 150, 440, 200])).toMatchObject({
    succeeded: false,
    status: { code: 440, details: ['x'] },
    exchanges: { length: 3 },
  })
  expect((await look([200])).succeeded).toBe(true)
  expect((await look([199, 299])).status.code).toBe(299)
  await expect(look([100, 100, 100, 100, 200])).rejects.toThrow(Inconclusive)
  await expect(look([])).rejects.toThrow('status.code')
})

test('where waiting costs nothing, work gets ten more minutes before it counts as unended', async () => {
  const slept: number[] = []
  const look = (codes: number[]) => {
    const { client } = clientOf(
      svc,
      codes.map((code) => ({ body: { status: { code } } })),
      {
        polling: { everyMs: 20, times: 2, finallyMs: 600_000 },
        sleep: async (ms) => {
          slept.push(ms)
        },
      },
    )
    return settle(client, 'invoice', 'await', () =>
      client.call('invoices.status', { path: { invoiceId: 'i' } }),
    )
  }
  expect(await look([100, 100, 200])).toMatchObject({ succeeded: true })
  const late = await look([100, 100, 150, 200]).catch((error: unknown) => error)
  expect(outcomeOf(late)).toMatchObject({ kind: 'inconclusive', unended: 'invoice' })
  expect(slept).toEqual([20, 600_000, 20, 600_000])
})

test('the last look for unended work is made with a token that outlasts the wait', async () => {
  const renewals: number[] = []
  let looks = 0
  const { client } = clientOf(
    svc,
    Array.from({ length: 3 }, () => ({ body: { status: { code: 100 } } })),
    { polling: { everyMs: 20, times: 2, finallyMs: 600_000 }, sleep: () => Promise.resolve() },
  )
  const caller = client.with({
    bearer: 'one',
    outlast: async () => {
      renewals.push(looks)
    },
  })
  const late = await settle(caller, 'invoice', 'await', () => {
    looks += 1
    return caller.call('invoices.status', { path: { invoiceId: 'i' } })
  }).catch((error: unknown) => error)
  expect(outcomeOf(late)).toMatchObject({ unended: 'invoice' })
  expect(renewals, 'looks before each renewal').toEqual([2])
})

test('chooses the latest valid key for the usage', () => {
  const key = (name: string, from: number, to: number, ...usage: string[]) => ({
    usage,
    certificate: name,
    validFrom: from,
    validTo: to,
    publicKeyId: undefined,
  })
  const keys = [
    key('old', 0, 10, 'SymmetricKeyEncryption'),
    key('new', 5, 20, 'SvcTokenEncryption', 'SymmetricKeyEncryption'),
    key('future', 15, 30, 'SymmetricKeyEncryption'),
    key('token', 6, Infinity, 'SvcTokenEncryption'),
  ]
  const chosen = (now: number) => chooseKey(keys, 'SymmetricKeyEncryption', now)?.certificate
  expect([-1, 0, 5, 12, 15, 25, 31].map(chosen)).toEqual([
    undefined,
    'old',
    'new',
    'new',
    'future',
    'future',
    undefined,
  ])
  expect(chooseKey(keys, 'SvcTokenEncryption', 99)?.certificate).toBe('token')
})

test('Retry-After', () => {
  expect(parseRetryAfter('120')).toEqual({ kind: 'seconds', seconds: 120 })
  expect(parseRetryAfter('Mon, 15 Jun 2026 08:00:30 GMT')).toEqual({
    kind: 'date',
    at: Date.parse('2026-06-15T08:00:30Z'),
  })
  expect(parseRetryAfter(undefined)).toEqual({ kind: 'missing' })
  for (const wrong of ['', '-1', '1.5', 'soon', '2026-06-15', '99999999999']) {
    expect(parseRetryAfter(wrong).kind, wrong).toBe('malformed')
  }
  expect(retryAfterMs('2', 0)).toBe(2000)
  expect(retryAfterMs('Thu, 01 Jan 1970 00:00:05 GMT', 3000)).toBe(2000)
  expect(retryAfterMs('Thu, 01 Jan 1970 00:00:05 GMT', 9000)).toBe(0)
  expect(retryAfterMs('x', 0)).toBeUndefined()
})
