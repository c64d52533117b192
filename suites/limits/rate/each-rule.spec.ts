import { rateRules } from '../../../contract/limits.ts'
import type { RateRuleId } from '../../../contract/limits.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

const rows = (Object.keys(rateRules) as RateRuleId[]).filter((id) => id !== 'default')

for (const id of rows) {
  test(...rule('limits.rate.each-rule', `per second, ${id}`), async ({ rated }) => {
    const { fill, call } = await rated(ratedCalls[id])
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
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
