import { endpoint } from '../../../contract/endpoints.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { fetchKeys } from '../../../lib/flows/keys.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { countedAs } from '../../../lib/pacer.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { heldTogether } from '../../support/steps/at-once.ts'
import { isLimited, setRates } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

const plenty = 100_000

const calls = 1_000

for (const [window, maximum] of [
  ['perMinute', 137],
  ['perHour', 480],
] as const) {
  test(
    ...rule('limits.rate.exact-under-concurrency', `limited, ${window}`),
    async ({ login, clock }) => {
      await clock.still()
      const { api } = await login()
      await setRates(api, {
        sessionList: { perSecond: plenty, perMinute: plenty, perHour: plenty, [window]: maximum },
      })
      const answers = await Promise.all(
        Array.from({ length: calls }, () =>
          api.call('sessions.list', { query: { sessionType: 'Online' }, pace: false }),
        ),
      )
      const refused = answers.filter(isLimited)
      expect(calls - refused.length, `accepted calls of ${calls} concurrent ones`).toBe(maximum)
      const odd = answers.filter(({ status }) => status !== 200 && status !== 429)
      expect(
        odd.map(({ status }) => status),
        'responses other than success and 429',
      ).toEqual([])
    },
  )
}

test(...rule('limits.rate.exact-under-concurrency', 'one burst'), async ({ login, clock }) => {
  await clock.still()
  const { api } = await login()
  expectOk(await api.call('testdata.productionRateLimits'), "set production's rate limits")
  await clock.advance(1_001)
  const { perSecond } = rateRules.sessionOther.window
  const path = { referenceNumber: '20260615-SO-2F6A9B0C1D-0E3F4A5B6C-7D' }
  const answers = await Promise.all(
    Array.from({ length: perSecond * 5 }, () => api.call('sessions.status', { path, pace: false })),
  )
  const passed = answers.filter((answer) => !isLimited(answer))
  expect(passed.length, `accepted calls of ${answers.length} concurrent ones`).toBe(perSecond)
})

/** Rows whose calls have a body. */
const withBody = (Object.keys(rateRules) as RateRuleId[]).filter(
  (id) => endpoint(ratedCalls[id].operation).request !== undefined,
)

for (const id of withBody)
  test(
    ...rule('limits.rate.exact-under-concurrency', `at once, with bodies on their way, ${id}`),
    async ({ login, rated, clock, target }) => {
      const me = await login()
      const { operation, options } = await rated(ratedCalls[id], me)
      const maximum = 7
      const narrow = { perSecond: plenty, perMinute: maximum, perHour: plenty }
      await setRates(me.api, { [countedAs(id, target.dialect)]: narrow })
      await clock.advance(60_001)
      const sent = 20
      const held = heldTogether(sent, () => fetchKeys(me.api))
      const answers = await Promise.all(
        Array.from({ length: sent }, () =>
          me.api.call(operation, { ...options, pace: false, held }),
        ),
      )
      const passed = answers.filter((answer) => !isLimited(answer))
      expect(passed.length, `accepted calls of ${answers.length} concurrent ones`).toBe(maximum)
    },
  )

for (const id of Object.keys(rateRules) as RateRuleId[])
  test(
    ...rule('limits.rate.exact-under-concurrency', `at once, ${id}`),
    async ({ login, rated, clock, target }) => {
      const me = await login()
      const { operation, options } = await rated(ratedCalls[id], me)
      const maximum = 7
      await setRates(me.api, {
        [countedAs(id, target.dialect)]: {
          perSecond: plenty,
          perMinute: maximum,
          perHour: plenty,
        },
      })
      // No call of the preparation is still within the minute.
      await clock.advance(60_001)
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => me.api.call(operation, { ...options, pace: false })),
      )
      const passed = answers.filter((answer) => !isLimited(answer))
      expect(passed.length, `accepted calls of ${answers.length} concurrent ones`).toBe(maximum)
    },
  )
