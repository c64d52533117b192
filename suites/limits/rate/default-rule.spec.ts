import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf } from '../../support/rated.ts'
import type { WindowName } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

for (const window of ['second', 'minute', 'hour'] as const satisfies WindowName[]) {
  test(...rule('limits.rate.default-rule', `per ${window}`), async ({ rated }) => {
    const { fill, call } = await rated(ratedCalls.default)
    expect(limitedOf(await fill(window)), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })
}

for (const operation of ['tokens.list', 'auth.sessions', 'limits.subject'] as const) {
  test(...rule('limits.rate.default-rule', `operation, ${operation}`), async ({ rated }) => {
    const { fill, call } = await rated({ operation, prepare: () => Promise.resolve({}) })
    expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
  })
}

test(...rule('limits.rate.default-rule', 'counted separately'), async ({ rated }) => {
  const { fill, call, me } = await rated(ratedCalls.default)
  await fill('second')
  expect(await call()).toBeRefused('rate-limited')
  for (const operation of ['limits.subject', 'tokens.list', 'auth.sessions'] as const)
    expect(await me.api.call(operation, { pace: false })).toBeOk()
})
