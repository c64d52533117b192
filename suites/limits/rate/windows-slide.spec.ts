import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf, ownRows, setRates } from '../../support/service/rated.ts'
import type { Rated, WindowName } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The row with the lowest thresholds: a few calls exhaust the hour. */
const narrow = ratedCalls.queryMetadata

const spans = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const

for (const window of Object.keys(spans) as WindowName[]) {
  const span = spans[window]

  test(
    ...rule('limits.rate.windows-slide', `no reset at the full unit, ${window}`),
    async ({ rated, clock }) => {
      const { fill, call } = await rated(narrow)
      // All calls lie in the last quarter of a whole second, minute or hour of the clock.
      await clock.set(Math.ceil(clock.now() / span) * span + span * 0.75)
      expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
      const next = Math.ceil(clock.now() / span) * span
      await clock.set(Math.max(clock.now(), next + span / 100))
      expect(await call()).toBeRefused('rate-limited')
    },
  )

  test(
    ...rule('limits.rate.windows-slide', `no reset after a full unit, ${window}`),
    async ({ rated, clock }) => {
      const { fill, call, windows, takeAll } = await rated(narrow)
      // One call now and the others half a window later: only the first one leaves the window.
      expect((await call()).status, 'the first call').not.toBe(429)
      const first = clock.now()
      await clock.advance(span / 2)
      expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
      await clock.set(first + span + 1)
      expect(windows.free(clock.now()), 'room after the first call has left the window').toBe(true)
      expect(
        limitedOf(await takeAll()),
        'rejected calls after the first call has left the window',
      ).toBe(0)
      expect(await call()).toBeRefused('rate-limited')
    },
  )

  test(
    ...rule('limits.rate.windows-slide', `free at its end, ${window}`),
    async ({ rated, clock, ledger }) => {
      const { fill, takeAll, operation } = await rated(narrow)
      expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
      const first = ledger.exchanges.find((exchange) => exchange.operation === operation)
      await clock.set((first?.startedAt ?? 0) + span)
      const taken = await takeAll()
      expect(taken.length, 'free calls after the first ones have left the window').toBeGreaterThan(
        0,
      )
      expect(limitedOf(taken), 'rejected calls after the first ones have left the window').toBe(0)
    },
  )
}

test(...rule('limits.rate.windows-slide', 'full until its end'), async ({ rated, clock }) => {
  const { takeAll, call } = await rated(narrow)
  await takeAll()
  await clock.advance(spans.second - 1)
  expect(await call()).toBeRefused('rate-limited')
})

for (const [window, margin] of [
  ['minute', 1_000],
  ['hour', 10_000],
] as const)
  test(
    ...rule('limits.rate.windows-slide', `full until its end, ${window}`),
    async ({ rated, clock, ledger }) => {
      const { fill, call, operation } = await rated(narrow)
      // Just before the clock starts a new minute and a new hour, where a counter of calendar windows would reset.
      await clock.set(Math.ceil(clock.now() / spans.hour) * spans.hour + spans.hour - 500)
      expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
      const first = ledger.exchanges.find((exchange) => exchange.operation === operation)
      await clock.set((first?.startedAt ?? 0) + spans[window] - margin)
      expect(await call()).toBeRefused('rate-limited')
    },
  )

test(...rule('limits.rate.windows-slide', 'rejected calls'), async ({ rated, clock }) => {
  const { fill, call, takeAll } = await rated(ratedCalls.sessionList)
  expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
  const refused = await call()
  expect(refused).toBeRefused('rate-limited')
  for (let more = 0; more < 3; more += 1) expect(await call()).toBeRefused('rate-limited')
  await clock.advance(Number(refused.headers['retry-after']) * 1_000 + 1)
  const rest = await takeAll()
  const { perSecond, perMinute } = rateRules.sessionList.window
  expect(rest.length, 'remaining calls of the minute').toBe(
    Math.min(perSecond, perMinute - perSecond),
  )
  expect(limitedOf(rest), 'rejected calls within the remaining ones').toBe(0)
  // The calls from before the block are still within the minute.
  await clock.advance(spans.second + 1)
  expect(await call()).toBeRefused('rate-limited')
})

test(...rule('limits.rate.windows-slide', 'each row'), async ({ rated, login, clock, target }) => {
  const me = await login()
  const own = ownRows(target.dialect)
  const prepared: (Rated & { readonly id: RateRuleId })[] = []
  for (const id of own) prepared.push({ id, ...(await rated(ratedCalls[id], me)) })
  const wide = 100_000
  const two = { perSecond: wide, perMinute: 2, perHour: wide }
  await setRates(me.api, Object.fromEntries(own.map((id) => [id, two])))
  // Around the full minute, so that a window that is reset there has room too early.
  await clock.set(Math.ceil(clock.now() / 60_000) * 60_000 + 120_000 + 45_000)
  const each = async (expected: 'passes' | 'is refused', when: string): Promise<void> => {
    for (const { id, operation, options } of prepared) {
      const answer = await me.api.call(operation, { ...options, pace: false })
      if (expected === 'is refused')
        expect.soft(answer, `${id}, ${when}`).toBeRefused('rate-limited')
      else expect.soft(answer.status, `${id}, ${when}`).not.toBe(429)
    }
  }
  const begun = clock.now()
  await each('passes', 'the first call')
  await clock.set(begun + 20_000)
  await each('passes', 'the second call, after a full minute')
  await clock.set(begun + 30_000)
  await each('is refused', 'the third call within 60 seconds')
  await clock.set(begun + 70_000)
  await each('passes', 'when the first call has left the window')
  await each('is refused', 'while the second one is in it')
})
