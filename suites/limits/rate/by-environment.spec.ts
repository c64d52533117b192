import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import type { Window } from '../../../contract/types.ts'
import type { Client } from '../../../lib/client.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { thresholdsOf } from '../../../lib/pacer.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { kindsBelow } from '../../support/callers/administrators.ts'
import { loginElsewhere } from '../../support/callers/logins-in-form.ts'
import { createCheckClock } from '../../support/service/check-clock.ts'
import {
  exceedSecond,
  limitedOf,
  prepareRated,
  reportedRates,
  wholeSeconds,
} from '../../support/service/rated.ts'
import type { RatedTools } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import type { Target } from '../../support/service/target.ts'
import { expect, test } from '../../support/harness/test.ts'

/** About ten times, as the specification says. */
const [minFactor, maxFactor] = [5, 20]

const rows = Object.keys(rateRules) as RateRuleId[]

/** An earlier check may have set limits of the context, where that can be done at all. */
const restoreRates = async (api: Client, target: Target): Promise<void> => {
  if (target.has('testdata'))
    expectOk(await api.call('testdata.restoreRateLimits'), 'restore the rate limits')
}

const list = (api: Client, calls: number) =>
  Promise.all(
    Array.from({ length: calls }, () =>
      api.call('sessions.list', { query: { sessionType: 'Online' }, pace: false }),
    ),
  )

/** The reported thresholds that are not between these multiples of production's. */
const differentFrom = async (
  api: Client,
  target: Target,
  minimum: number,
  maximum: number,
): Promise<string[]> => {
  const inForce = await reportedRates(api)
  return rows.flatMap((id) => {
    const production = thresholdsOf(id, target.dialect) as unknown as Window
    return (['perSecond', 'perMinute', 'perHour'] as const).flatMap((window) => {
      const times = inForce[id][window] / production[window]
      return times >= minimum && times <= maximum ? [] : [`${id} ${window}: ${times} times`]
    })
  })
}

/** Expects that a context of a test environment has about ten times the calls of production. */
const expectTestRates = async (api: Client, target: Target): Promise<void> => {
  await restoreRates(api, target)
  const wrong = await differentFrom(api, target, minFactor, maxFactor)
  expect(
    wrong,
    `thresholds outside ${minFactor} to ${maxFactor} times those of production`,
  ).toEqual([])
}

/** The tools of a target whose limits no test data set: those of its environment are in force. */
const asItIs = ({ target, ledger, clock }: Omit<RatedTools, 'bench'>): RatedTools => {
  const { dialect, environment, management, now, room } = target
  const there = { dialect, environment, management, now, room, has: () => false }
  return { target: there, ledger, clock, bench: { invoice: () => new Uint8Array(), now } }
}

/** Expects that the limits which a service reports are those that it enforces, neither earlier nor later. */
const expectAsReported = async (
  tools: Omit<RatedTools, 'bench'>,
  me: Parameters<typeof prepareRated>[1],
): Promise<void> => {
  for (const row of ['default', 'queryMetadata'] as const) {
    const { takeAll, call } = await prepareRated(asItIs(tools), me, ratedCalls[row])
    for (const second of ['first', 'next']) {
      const taken = await takeAll()
      expect.soft(limitedOf(taken), `${row}: rejected calls of the ${second} second`).toBe(0)
      if (second === 'first') await tools.clock.advance(1_001)
    }
    expect
      .soft(await call(), `${row}: a call beyond the reported limits`)
      .toBeRefused('rate-limited')
  }
}

test(...rule('limits.rate.by-environment', 'test, reported'), async ({ login, target }) => {
  test.skip(target.environment !== 'test', 'the target is not a test environment')
  const { api } = await login()
  await expectTestRates(api, target)
})

for (const [kind, loginOf] of kindsBelow)
  test(
    ...rule('limits.rate.by-environment', `context of another kind, ${kind}`),
    async ({ login, rng, target }) => {
      test.skip(target.environment !== 'test', 'the target is not a test environment')
      const { api } = await loginOf({ me: await login(), login, rng, target })
      await expectTestRates(api, target)
    },
  )

test(
  ...rule('limits.rate.by-environment', 'test, enforced'),
  async ({ login, target, clock, ledger }) => {
    test.skip(target.environment !== 'test', 'the target is not a test environment')
    await clock.still()
    const me = await login()
    const { api } = me
    await restoreRates(api, target)
    const { perSecond = 0 } = thresholdsOf('sessionList', target.dialect) ?? {}
    const answers = await exceedSecond(clock.now, () => list(api, perSecond * maxFactor + 1))
    const passed = answers.length - limitedOf(answers)
    expect(passed, 'accepted calls within a second').toBeGreaterThanOrEqual(perSecond * minFactor)
    expect(passed, 'accepted calls within a second').toBeLessThanOrEqual(perSecond * maxFactor)
    await expectAsReported({ target, ledger, clock }, me)
  },
)

for (const environment of ['demo', 'production'] as const) {
  test(
    ...rule('limits.rate.by-environment', environment),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      await target.management?.freeze(true)
      const me = await loginElsewhere(target, { ledger, rng })
      const { api: mine } = me
      const { perSecond = 0 } = thresholdsOf('sessionList', target.dialect) ?? {}
      await target.management?.advance(1_100)
      const answers = await exceedSecond(target.now, () => list(mine, perSecond + 1))
      expect(limitedOf(answers), `rejected calls of ${perSecond + 1} concurrent ones`).toBe(1)
      const wrong = await differentFrom(mine, target, 1, 1)
      expect(wrong, 'reported thresholds that are not those of production').toEqual([])
      // Whatever it reports, an hour of these calls ends as in production.
      const clock = createCheckClock(target)
      await clock.advance(3_600_000)
      const tools = asItIs({ target, ledger, clock })
      for (const [row, windows] of [
        ['sessionList', ['hour']],
        ['default', ['second', 'minute', 'hour']],
      ] as const) {
        const { fill, call } = await prepareRated(tools, me, ratedCalls[row])
        for (const window of windows) {
          const filled = limitedOf(await fill(window))
          expect(filled, `${row}: rejected calls within the ${window}`).toBe(0)
          const refused = await call()
          expect(refused, `${row}: one more within the ${window}`).toBeRefused('rate-limited')
          await clock.advance(Math.max(3_600, wholeSeconds(refused)) * 1_000 + 1)
        }
      }
    },
  )
}
