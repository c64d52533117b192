import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

test(...rule('queries.metadata.filters', 'answered'), async ({ login, clock }) => {
  const { api } = await login()
  const from = new Date(clock.now() - 24 * 3600 * 1000).toISOString()
  const body = { subjectType: 'subject1', dateRange: { dateType: 'invoicing', from } }
  expect(await api.call('queries.metadata', { body })).toBeOk()
})
