import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { calls, perform } from '../../support/calls.ts'
import { limitedOf, ofAnother } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { createStage } from '../../support/stage.ts'
import { expect, test } from '../../support/test.ts'

const rows = (Object.keys(rateRules) as RateRuleId[]).filter((id) => id !== 'default')

for (const id of rows) {
  test(...rule('limits.rate.each-rule', `per second, ${id}`), async ({ rated }) => {
    const { me, operation, options, fill, call } = await rated(ratedCalls[id])
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
    const other = await call(() => me.api.call(operation, { ...ofAnother(options), pace: false }))
    expect(other, 'a call for another resource').toBeRefused('rate-limited')
  })

  test(...rule('limits.rate.each-rule', `per minute, ${id}`), async ({ rated }) => {
    const { fill, call } = await rated(ratedCalls[id])
    expect(limitedOf(await fill('minute')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })

  test(...rule('limits.rate.each-rule', `per hour, ${id}`), async ({ rated }) => {
    const { fill, call } = await rated(ratedCalls[id])
    expect(limitedOf(await fill('hour')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })
}

/** Operations that count against a row besides the one that is tried above. */
const sharing = rows.flatMap((id) =>
  operationIds
    .filter(
      (operation) => endpoint(operation).rate === id && operation !== ratedCalls[id].operation,
    )
    .map((operation) => ({ id, operation })),
)

for (const { id, operation } of sharing)
  test(
    ...rule('limits.rate.each-rule', `shared, ${operation}`),
    async ({ rated, login, api, another, invoice, rng, target }) => {
      wireOperation(operation, target.dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      const { fill, call } = await rated(ratedCalls[id], me)
      expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
      const answer = await call(() => perform(me.api, operation, ready, { pace: false }))
      expect(answer, operation).toBeRefused('rate-limited')
    },
  )

for (const { id, operation } of sharing)
  test(
    ...rule('limits.rate.each-rule', `shared, ${operation}, first`),
    async ({ rated, login, api, another, invoice, rng, target, clock }) => {
      wireOperation(operation, target.dialect)
      const me = await login()
      const stage = createStage({ me, api, login, another, invoice, rng, target })
      const ready = await calls[operation](stage)
      const own = await rated(ratedCalls[id], me)
      // No call of the preparation is still within the second.
      await clock.advance(1_001)
      const { fill, call } = await rated({ operation, prepare: () => Promise.resolve(ready) }, me)
      expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
      const options = { ...own.options, pace: false }
      const answer = await call(() => me.api.call(own.operation, options))
      expect(answer, `${own.operation}, after calls of ${operation}`).toBeRefused('rate-limited')
    },
  )
