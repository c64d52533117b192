import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

test(...rule('testdata.limit-simulation', 'answered'), async ({ login }) => {
  const { api } = await login()
  expect(await api.call('testdata.productionRateLimits')).toBeOk()
})
