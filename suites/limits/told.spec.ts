import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

test(...rule('limits.context', 'answered'), async ({ login }) => {
  const { api } = await login()
  expect(await api.call('limits.context')).toBeOk()
})

test(...rule('limits.subject', 'answered'), async ({ login }) => {
  const { api } = await login()
  expect(await api.call('limits.subject')).toBeOk()
})
