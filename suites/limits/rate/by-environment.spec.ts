import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import type { Window } from '../../../contract/types.ts'
import type { Client } from '../../../lib/client.ts'
import { contextKey, loginWithDocument, loginWithToken } from '../../../lib/flows/login.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { thresholdsOf } from '../../../lib/pacer.ts'
import { kindsBelow } from '../../support/administrators.ts'
import { createContexts } from '../../support/context-source.ts'
import { exceedSecond, limitedOf, reportedRates } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import type { Target } from '../../support/target.ts'
import { expect, test } from '../../support/test.ts'

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

/** Expects that a context of a test environment has about ten times the calls of production. */
const expectTestRates = async (api: Client, target: Target): Promise<void> => {
  await restoreRates(api, target)
  const inForce = await reportedRates(api)
  const wrong = rows.flatMap((id) => {
    const production = thresholdsOf(id, target.dialect) as unknown as Window
    return (['perSecond', 'perMinute', 'perHour'] as const).flatMap((window) => {
      const times = inForce[id][window] / production[window]
      return times >= minFactor && times <= maxFactor ? [] : [`${id} ${window}: ${times} times`]
    })
  })
  expect(
    wrong,
    `thresholds outside ${minFactor} to ${maxFactor} times those of production`,
  ).toEqual([])
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

test(...rule('limits.rate.by-environment', 'test, enforced'), async ({ login, target, clock }) => {
  test.skip(target.environment !== 'test', 'the target is not a test environment')
  await clock.still()
  const { api } = await login()
  await restoreRates(api, target)
  const { perSecond = 0 } = thresholdsOf('sessionList', target.dialect) ?? {}
  const answers = await exceedSecond(clock.now, () => list(api, perSecond * maxFactor + 1))
  const passed = answers.length - limitedOf(answers)
  expect(passed, 'accepted calls within a second').toBeGreaterThanOrEqual(perSecond * minFactor)
  expect(passed, 'accepted calls within a second').toBeLessThanOrEqual(perSecond * maxFactor)
})

for (const environment of ['demo', 'production'] as const) {
  test(
    ...rule('limits.rate.by-environment', environment),
    async ({ inEnvironment, ledger, rng }) => {
      const target = await inEnvironment(environment)
      await target.management?.freeze(true)
      const context = await createContexts(target, rng)()
      const api = target.client(ledger.record)
      const { accessToken } = context.token
        ? await loginWithToken(api, { context, token: context.token })
        : await loginWithDocument(api, { sign: (challenge) => context.document(challenge) })
      const mine = api.with({ bearer: accessToken, context: contextKey(context) })
      const { perSecond = 0 } = thresholdsOf('sessionList', target.dialect) ?? {}
      await target.management?.advance(1_100)
      const answers = await exceedSecond(target.now, () => list(mine, perSecond + 1))
      expect(limitedOf(answers), `rejected calls of ${perSecond + 1} concurrent ones`).toBe(1)
    },
  )
}
