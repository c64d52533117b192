import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf, offend, wholeSeconds } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** The row with the lowest thresholds: a few calls exhaust the hour. */
const narrow = ratedCalls.queryMetadata

for (const window of ['second', 'minute', 'hour'] as const) {
  test(...rule('limits.rate.parallel-thresholds', `per ${window}`), async ({ rated, clock }) => {
    const { call, fill, thresholds } = await rated(narrow)
    const { perSecond, perMinute, perHour } = thresholds
    const calls = { second: perSecond, minute: perMinute, hour: perHour }[window]
    const step = { second: 0, minute: 1_001, hour: 60_001 }[window]
    if (step === 0) expect(limitedOf(await fill('second')), 'rejected calls').toBe(0)
    else
      for (let made = 0; made < calls; made += 1) {
        expect((await call()).status, `call ${made + 1} of ${calls}`).not.toBe(429)
        await clock.advance(step)
      }
    expect(await call()).toBeRefused('rate-limited')
  })
}

// A count that is brought up to date once a second misses the end of a window within one.
for (const window of ['minute', 'hour'] as const)
  test(
    ...rule('limits.rate.parallel-thresholds', `per ${window}, within a second`),
    async ({ rated, clock }) => {
      const { call, thresholds } = await rated(narrow)
      const [calls, step] = {
        minute: [thresholds.perMinute, 1_001],
        hour: [thresholds.perHour, 60_001],
      }[window] as [number, number]
      const burst = 3
      for (let made = 0; made < calls; made += 1) {
        expect((await call()).status, `call ${made + 1} of ${calls}`).not.toBe(429)
        if (made < calls - burst) await clock.advance(step)
      }
      expect(await call()).toBeRefused('rate-limited')
    },
  )

test(...rule('limits.rate.parallel-thresholds', 'all three'), async ({ rated, clock }) => {
  const { takeAll, call, thresholds } = await rated(narrow)
  let made = 0
  for (const pause of [0, 1_001, 60_001]) {
    await clock.advance(pause)
    const taken = await takeAll()
    expect(limitedOf(taken), 'rejected calls within the limits').toBe(0)
    made += taken.length
  }
  expect(made, 'calls of the hour after three bursts').toBe(thresholds.perHour)
  await clock.advance(60_001)
  expect(await call()).toBeRefused('rate-limited')
})

for (const [what, called] of [
  ['of the minute', narrow],
  ['of minute after minute', ratedCalls.default],
] as const)
  test(
    ...rule('limits.rate.parallel-thresholds', `after an excess, ${what}`),
    async ({ rated, clock }) => {
      const made = await rated(called)
      const { perMinute, perHour } = made.thresholds
      let left = perHour
      do {
        expect(limitedOf(await made.fill('minute')), 'rejected calls within the limits').toBe(0)
        const refused = await made.call()
        expect(refused, 'beyond the minute').toBeRefused('rate-limited')
        await clock.advance(wholeSeconds(refused) * 1_000 + 1)
        left -= perMinute
      } while (left > perMinute)
      expect(limitedOf(await made.fill('hour')), 'rejected calls within the limits').toBe(0)
      expect(await made.call(), 'beyond the hour').toBeRefused('rate-limited')
    },
  )

for (const window of ['minute', 'hour'] as const)
  test(
    ...rule('limits.rate.parallel-thresholds', `after an excess, ${window}`),
    async ({ rated, clock }) => {
      const made = await rated(narrow)
      const refused = await offend(made)
      expect(refused, 'beyond the second').toBeRefused('rate-limited')
      await clock.advance(wholeSeconds(refused) * 1_000 + 1)
      expect(limitedOf(await made.fill(window)), 'rejected calls within the limits').toBe(0)
      expect(await made.call(), `beyond the ${window}`).toBeRefused('rate-limited')
    },
  )
