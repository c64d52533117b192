import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

test(...rule('certificates.limits', 'answered'), async ({ login }) => {
  const { api } = await login()
  expect(await api.call('certificates.limits')).toBeOk()
})
