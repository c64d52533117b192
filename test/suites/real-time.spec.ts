import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { svc } from '../../contract/dialects/svc.ts'
import { createClient } from '../../lib/client.ts'
import { nodeCodec } from '../../lib/node/codec.ts'
import { ratedCalls } from '../../lib/node/rated-calls.ts'
import { thresholdsOf } from '../../lib/pacer.ts'
import { createWindows } from '../../lib/windows.ts'
import { attributesOf } from '../../suites/support/callers/enrolment.ts'
import { lastingBearer } from '../../suites/support/service/lasting-bearer.ts'
import { NotOffered } from '../../suites/support/run/not-offered.ts'
import { noteMade, ownOnly, startOwnWork } from '../../suites/support/run/own-work.ts'
import { limitedOf, prepareRated } from '../../suites/support/service/rated.ts'
import { retrieve } from '../../suites/support/steps/steps.ts'

/** Targets on a real clock: work takes a while, tokens expire while a check waits, and a context is shared. */

/** A target with these answers in turn, and the clock that it uses. */
const target = (...answers: readonly { readonly status: number; readonly body?: unknown }[]) => {
  const calls: string[] = []
  const left = [...answers]
  let now = 0
  const client = createClient({
    send: async ({ method, url, headers }) => {
      calls.push(`${method} ${new URL(url).pathname} ${headers['authorization'] ?? ''}`.trim())
      const { status, body } = left.shift() ?? { status: 500 }
      const text = body === undefined ? '' : JSON.stringify(body)
      return { status, headers: {}, body: nodeCodec.utf8(text) }
    },
    baseUrl: 'http://service.test/api/v2',
    dialect: svc,
    codec: nodeCodec,
    now: () => now,
    sleep: async (ms) => void (now += ms),
  })
  return { client, calls, now: () => now, pass: (ms: number) => void (now += ms) }
}

const notYet = {
  status: 400,
  body: { code: 21165, description: 'The invoice is not yet available' },
}

test('retrieves an accepted invoice once the service has stored it', async () => {
  const { client, calls, now } = target(notYet, notYet, { status: 200, body: {} })
  const answer = await retrieve(client, 'invoices.bySvcNumber', { svcNumber: 'N' })
  expect(answer.status).toBe(200)
  expect(calls).toHaveLength(3)
  expect(now(), 'milliseconds waited').toBeGreaterThan(1_000)
})

test('does not repeat the retrieval of an invoice that is refused for another reason', async () => {
  const { client, calls } = target({ status: 404, body: { code: 21164, description: 'unknown' } })
  const answer = await retrieve(client, 'invoices.bySvcNumber', { svcNumber: 'N' })
  expect(answer.status).toBe(404)
  expect(calls).toHaveLength(1)
})

const minutes = 60_000
const login = {
  accessToken: 'FIRST',
  refreshToken: 'REFRESH',
  authenticationToken: 'A',
  referenceNumber: 'R',
  accessValidUntil: 15 * minutes,
  refreshValidUntil: undefined,
}
const renewed = (token: string, until: number) => ({
  status: 200,
  body: { accessToken: { token, validUntil: new Date(until).toISOString() } },
})

test('a check that waits longer than its access token is valid continues with a new one', async () => {
  const { client, calls, now, pass } = target(
    { status: 200, body: {} },
    renewed('SECOND', 45 * minutes),
    { status: 200, body: {} },
    { status: 200, body: {} },
  )
  const api = client.with(lastingBearer({ management: undefined, now }, client, login, {}))
  await api.call('auth.sessions')
  pass(30 * minutes)
  await api.call('auth.sessions')
  await api.call('auth.sessions')
  expect(calls).toEqual([
    'GET /api/v2/auth/sessions Bearer FIRST',
    'POST /api/v2/auth/token/refresh Bearer REFRESH',
    'GET /api/v2/auth/sessions Bearer SECOND',
    'GET /api/v2/auth/sessions Bearer SECOND',
  ])
})

test('a check whose login has ended meets the refusal of its own call', async () => {
  const { client, calls, now, pass } = target({ status: 403 }, { status: 401 })
  const api = client.with(lastingBearer({ management: undefined, now }, client, login, {}))
  pass(30 * minutes)
  expect((await api.call('auth.sessions')).status).toBe(401)
  expect(calls.at(-1)).toBe('GET /api/v2/auth/sessions Bearer FIRST')
})

test('an expired token stays expired where the check turns the clock', async () => {
  const { client, calls, now, pass } = target({ status: 403 })
  const management = {} as never
  const api = client.with(lastingBearer({ management, now }, client, login, {}))
  pass(30 * minutes)
  await api.call('auth.sessions')
  expect(calls).toEqual(['GET /api/v2/auth/sessions Bearer FIRST'])
})

test('a caller who logged in with a service token cannot apply for a certificate', async () => {
  const { client, calls } = target()
  await expect(attributesOf(client.with({ bearer: 'T', by: 'token' }))).rejects.toThrow(NotOffered)
  expect(calls).toEqual([])
})

test('a check that shares its context sees its own invoices, by either of their numbers', () => {
  const found = ['own', 'accepted', 'foreign'].map((name) => ({
    invoiceNumber: `F-${name}`,
    svcNumber: `S-${name}`,
  }))
  startOwnWork(true)
  noteMade('F-own')
  noteMade('S-accepted')
  expect(ownOnly(found).map(({ svcNumber }) => svcNumber)).toEqual(['S-own', 'S-accepted'])
  startOwnWork(false)
  expect(ownOnly(found)).toEqual(found)
})

/** A target that takes `delay` in each direction, and enforces the limits that it reports, or none. */
const ratedAt = async (
  delay: number,
  limited: boolean,
  factor = 1,
  earlier: readonly number[] = [],
) => {
  let now = 0
  const reported = thresholdsOf('default', svc, factor) ?? {}
  const windows = createWindows(limited ? reported : {})
  for (const at of earlier) windows.count(at)
  const api = createClient({
    send: async () => {
      const arrives = now + delay
      // All that is sent together leaves before the first answer comes.
      await nextTurn()
      now = Math.max(now, arrives + delay)
      const status = windows.admit(arrives) ? 200 : 429
      return { status, headers: {}, body: nodeCodec.utf8(JSON.stringify({ default: reported })) }
    },
    baseUrl: 'http://service.test/api/v2',
    dialect: svc,
    codec: nodeCodec,
    now: () => now,
    sleep: async (ms) => void (now += ms),
  })
  const turned = () => Promise.reject(new Error('nobody turns this clock'))
  const clock = {
    now: () => now,
    still: async () => {
      now += 1_100
      return false
    },
    advance: turned,
    set: turned,
    pass: turned,
    moves: false,
    waits: 0,
  }
  const place = {
    management: undefined,
    dialect: svc,
    environment: 'test',
    has: () => false,
    now: clock.now,
    room: {
      counted: async () => ({ times: earlier, blockedUntil: 0 }),
      rest: async (ms: number) => void (now += ms),
    },
  } as const
  const bench = { invoice: () => new Uint8Array(), now: clock.now }
  const me = { ...login, api, accessValidUntil: undefined }
  return prepareRated(
    { target: place, ledger: { exchanges: [] }, clock, bench },
    me,
    ratedCalls.default,
  )
}

for (const delay of [10, 700])
  test(`the limit of a second is exceeded where each way takes ${delay} ms`, async () => {
    const { fill, call } = await ratedAt(delay, true)
    expect(limitedOf(await fill('second'))).toBe(0)
    expect((await call()).status).toBe(429)
  })

test('a limit that nothing enforces is open where a call takes longer than the second', async () => {
  const { fill, call } = await ratedAt(700, false)
  await fill('second')
  await expect(call()).rejects.toThrow('exceed a limit of one second')
})

for (const factor of [1, 7])
  test(`the limits that count are those that a target reports: ${factor} times production's`, async () => {
    const { fill, call } = await ratedAt(10, true, factor)
    const answers = await fill('second')
    expect(answers).toHaveLength(10 * factor)
    expect(limitedOf(answers)).toBe(0)
    expect((await call()).status).toBe(429)
  })

test('unreachable limits are not verifiable', async () => {
  await expect(ratedAt(10, false, 1_000_000)).rejects.toThrow(NotOffered)
})

test('calls of earlier checks in a shared context count, and the next ones wait for room', async () => {
  startOwnWork(true)
  const minute = 60_000
  // Of 30 calls a minute and 120 an hour, the last seconds took 25, and the rest of the hour took 90.
  const hour = Array.from({ length: 90 }, (_, call) => (call - 100) * 30_000)
  const last = Array.from({ length: 25 }, (_, call) => (call - 30) * 100)
  const { fill, call, windows } = await ratedAt(10, true, 1, [...hour, ...last])
  expect(windows.times().length, 'calls of the last hour').toBe(115)
  const answers = await fill('second')
  expect(answers, 'calls of a full second').toHaveLength(10)
  expect(limitedOf(answers)).toBe(0)
  expect((await call()).status).toBe(429)
  const [first = 0] = windows.times().slice(-10)
  // Room for these ten and two more: seven of the oldest have left the hour.
  expect(first, 'the first of them').toBeGreaterThan(hour[6]! + 60 * minute)
  startOwnWork(false)
})

test('a limit that nothing enforces is seen where a call is short', async () => {
  const { fill, call } = await ratedAt(10, false)
  await fill('second')
  expect((await call()).status).toBe(200)
})
