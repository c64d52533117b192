import { expect, test } from '@playwright/test'
import { Unreachable } from '../../lib/node/fetch.ts'
import type { Send } from '../../lib/exchange.ts'
import { withCircuitBreaker } from '../../suites/support/service/circuit-breaker.ts'
import {
  outcomeOfTimeout,
  pause,
  startWaiting,
  waitForAnswer,
  waitForRoom,
} from '../../suites/support/run/waiting.ts'

/** How long a check may wait for its target: a slow target takes no time away from it, a hanging one soon ends it. */

const request = { method: 'GET', url: 'http://target.test/x', headers: {} }

/** A sender that returns these answers in turn, and the timeout that each call got. */
const scripted = (...script: readonly ('answer' | 'hang' | 'reset')[]) => {
  const given: (number | undefined)[] = []
  const send: Send = (_, { timeoutMs } = {}) => {
    const next = script[given.push(timeoutMs) - 1]
    if (next === 'answer')
      return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() })
    return Promise.reject(
      new Unreachable(request.url, next === 'hang' ? 'ETIMEDOUT' : 'ECONNRESET', undefined),
    )
  }
  return { send: withCircuitBreaker(send), given }
}

test('after a call that was never answered, the next have 10 s each until one is answered', async () => {
  const { send, given } = scripted('answer', 'hang', 'hang', 'reset', 'answer', 'answer')
  for (let call = 0; call < 6; call += 1) await send(request).catch(() => undefined)
  expect(given).toEqual([undefined, undefined, 10_000, 10_000, 10_000, undefined])
})

test('a call with a shorter timeout keeps it', async () => {
  const { send, given } = scripted('hang', 'hang')
  await send(request).catch(() => undefined)
  await send(request, { timeoutMs: 3_000 }).catch(() => undefined)
  expect(given).toEqual([undefined, 3_000])
})

/** A check of 60 s, and the clock of the machine in our hands. */
const timed = () => {
  const check = {
    timeout: 60_000,
    setTimeout(ms: number) {
      check.timeout = ms
    },
  }
  startWaiting(check)
  return check
}

const clocked = async <T>(work: (advance: (ms: number) => void) => Promise<T>): Promise<T> => {
  const real = Date.now
  let now = 1_000_000
  Date.now = () => now
  try {
    return await work((ms) => {
      now += ms
    })
  } finally {
    Date.now = real
  }
}

test('slow responses extend the time of the check, up to four minutes; quick ones do not', async () => {
  const check = timed()
  await clocked(async (advance) => {
    const call = (ms: number) => waitForAnswer('GET /x', async () => advance(ms))
    await call(20)
    expect(check.timeout).toBe(60_000)
    await call(3_000)
    expect(check.timeout).toBe(63_000)
    for (let more = 0; more < 100; more += 1) await call(3_000)
    expect(check.timeout).toBe(300_000)
  })
})

test('pauses between polls of slow work extend it too', async () => {
  const check = timed()
  await pause(300)
  expect(check.timeout).toBeGreaterThanOrEqual(60_290)
  expect(check.timeout).toBeLessThan(120_000)
})

test('a call without an answer adds nothing', async () => {
  const check = timed()
  await clocked(async (advance) => {
    const call = waitForAnswer('GET /x', async () => {
      advance(30_000)
      throw new Unreachable(request.url, 'ETIMEDOUT', undefined)
    })
    await expect(call).rejects.toThrow('took too long')
  })
  expect(check.timeout).toBe(60_000)
})

test('calls that wait at the same time add their time once', async () => {
  const check = timed()
  await clocked(() => Promise.all([waitForRoom(30), waitForRoom(50), waitForRoom(40)]))
  expect(check.timeout).toBe(60_050)
})

test('time that the tool spent itself is a fault of the tool', async () => {
  timed()
  await waitForAnswer('auth.challenge', () => Promise.resolve())
  expect(outcomeOfTimeout(60_000)).toMatchObject({ kind: 'broken' })
})

test('a call in flight counts as time of the target, and is named', () => {
  timed()
  let answer = () => undefined as void
  void waitForAnswer('auth.challenge', () => new Promise<void>((resolve) => (answer = resolve)))
  const outcome = outcomeOfTimeout(60_000)
  expect(outcome).toMatchObject({ kind: 'inconclusive', unreachable: 'ETIMEDOUT' })
  expect(outcome.reason).toContain('at the end it waited for the answer to auth.challenge')
  answer()
})

test('half of the pauses between polls count as time of the target', async () => {
  timed()
  await pause(30)
  expect(outcomeOfTimeout(40)).toMatchObject({ kind: 'inconclusive' })
})

test('waits of an earlier check do not count', async () => {
  timed()
  await pause(30)
  timed()
  expect(outcomeOfTimeout(40)).toMatchObject({ kind: 'broken' })
})
