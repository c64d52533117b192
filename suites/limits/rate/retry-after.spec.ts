import type { RateRuleId } from '../../../contract/limits.ts'
import { parseRetryAfter } from '../../../lib/retry-after.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { offend, ownRows, setRates, wholeSeconds } from '../../support/service/rated.ts'
import type { Rated } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Many calls per minute and few per second: repeated violations take only seconds. */
const brief = ratedCalls.exportStatus

for (const window of ['second', 'minute', 'hour'] as const) {
  test(...rule('limits.rate.retry-after', `header per ${window}`), async ({ rated, clock }) => {
    const { fill, call, windows } = await rated(ratedCalls.queryMetadata)
    await fill(window)
    const minimum = windows.retryAfter(clock.now())
    const refused = await call()
    expect(refused).toBeRefused('rate-limited')
    const header = parseRetryAfter(refused.headers['retry-after'])
    expect(header.kind, `Retry-After in whole seconds: ${refused.headers['retry-after']}`).toBe(
      'seconds',
    )
    const seconds = wholeSeconds(refused)
    expect(seconds, 'seconds to wait').toBeGreaterThanOrEqual(1)
    expect(seconds, 'seconds until the window has room').toBeGreaterThanOrEqual(minimum)
  })

  test(...rule('limits.rate.retry-after', `brief per ${window}`), async ({ rated, clock }) => {
    const { fill, call, windows } = await rated(ratedCalls.queryMetadata)
    await fill(window)
    const room = windows.retryAfter(clock.now())
    const refused = await call()
    expect(refused).toBeRefused('rate-limited')
    // A second for the rounding, and one for the time that the call takes.
    expect(wholeSeconds(refused), 'seconds of the first block').toBeLessThanOrEqual(room + 2)
  })

  test(...rule('limits.rate.retry-after', `sufficient per ${window}`), async ({ rated, clock }) => {
    const { fill, call } = await rated(ratedCalls.queryMetadata)
    await fill(window)
    const refused = await call()
    expect(refused).toBeRefused('rate-limited')
    await clock.advance(wholeSeconds(refused) * 1_000)
    expect((await call()).status, 'a call after Retry-After').not.toBe(429)
  })
}

test(...rule('limits.rate.retry-after', 'sufficient in two windows'), async ({ rated, clock }) => {
  const { call, me } = await rated(ratedCalls.queryMetadata)
  await setRates(me.api, { queryMetadata: { perSecond: 4, perMinute: 4, perHour: 40 } })
  for (let made = 1; made <= 4; made += 1)
    expect((await call()).status, `call ${made} of 4`).not.toBe(429)
  const refused = await call()
  expect(refused).toBeRefused('rate-limited')
  await clock.advance(wholeSeconds(refused) * 1_000)
  expect((await call()).status, 'a call after Retry-After').not.toBe(429)
})

test(...rule('limits.rate.retry-after', 'sufficient after more'), async ({ rated, clock }) => {
  const calls = await rated(brief)
  for (let offence = 1; offence <= 3; offence += 1) {
    await clock.advance(wholeSeconds(await offend(calls)) * 1_000)
    expect((await calls.call()).status, `a call after Retry-After ${offence}`).not.toBe(429)
    await clock.advance(1_001)
  }
})

test(...rule('limits.rate.retry-after', 'early call'), async ({ rated, clock }) => {
  const calls = await rated(brief)
  // The second block is longer than the window, so that only the block can still reject calls.
  await clock.advance(wholeSeconds(await offend(calls)) * 1_000)
  const seconds = wholeSeconds(await offend(calls))
  await clock.advance(seconds * 1_000 - 1)
  const early = await calls.call()
  expect(early).toBeRefused('rate-limited')
  expect(wholeSeconds(early), 'Retry-After of an early call').toBeGreaterThanOrEqual(1)
})

test(...rule('limits.rate.retry-after', 'repeated early calls'), async ({ rated, clock }) => {
  const calls = await rated(ratedCalls.queryMetadata)
  await calls.fill('minute')
  const seconds = wholeSeconds(await calls.call())
  for (let early = 1; early <= 3; early += 1) {
    await clock.advance((seconds * 1_000) / 4)
    const answer = await calls.call()
    expect(answer).toBeRefused('rate-limited')
    expect(answer.headers['retry-after'], 'of an early call').toMatch(/^[1-9]\d*$/)
  }
  await clock.advance((seconds * 1_000) / 4 + 1)
  expect((await calls.call()).status, 'a call after the first Retry-After').not.toBe(429)
})

for (const window of ['second', 'minute', 'hour'] as const)
  test(
    ...rule('limits.rate.retry-after', `early call, at parts of a second, per ${window}`),
    async ({ rated, clock }) => {
      const { fill, call } = await rated(ratedCalls.queryMetadata)
      await fill(window)
      const end = clock.now() + wholeSeconds(await call()) * 1_000
      let seconds = 0
      for (const wait of [1, 249, 500, 249, 1, 1, 500]) {
        // At least a millisecond of the block is left.
        await clock.advance(Math.min(wait, Math.max(0, end - clock.now() - 1)))
        const early = await call()
        expect(early).toBeRefused('rate-limited')
        seconds = wholeSeconds(early)
        const left = end - clock.now()
        expect(seconds * 1_000, `the wait, ${left} ms before the end`).toBeGreaterThanOrEqual(left)
      }
      await clock.advance(seconds * 1_000)
      expect((await call()).status, 'a call after the last of these waits').not.toBe(429)
    },
  )

test(...rule('limits.rate.retry-after', 'each row'), async ({ rated, login, clock, target }) => {
  const me = await login()
  const own = ownRows(target.dialect)
  const prepared: (readonly [RateRuleId, Rated])[] = []
  for (const id of own) prepared.push([id, await rated(ratedCalls[id], me)])
  const narrow = { perSecond: 2, perMinute: 4, perHour: 100_000 }
  await setRates(me.api, Object.fromEntries(own.map((id) => [id, narrow])))
  for (const [id, { call: send }] of prepared) {
    // No call of the preparation or of another row is within the minute.
    await clock.advance(60_001)
    const begun = clock.now()
    let seconds = 0
    for (const round of ['first', 'second']) {
      await clock.advance(seconds * 1_000)
      for (const call of ['first', 'second'])
        expect.soft((await send()).status, `${id}: ${call} call, ${round} round`).not.toBe(429)
      const refused = await send()
      expect.soft(refused, `${id}: third call, ${round} round`).toBeRefused('rate-limited')
      seconds = wholeSeconds(refused)
    }
    const room = begun + 60_000 - clock.now()
    expect
      .soft(seconds * 1_000, `${id}: the wait until the minute has room`)
      .toBeGreaterThan(room - 1)
    // By now the minute may have room: only the block rejects the call.
    await clock.advance(seconds * 1_000 - 1)
    expect.soft(await send(), `${id}: a call before the block ends`).toBeRefused('rate-limited')
  }
})
