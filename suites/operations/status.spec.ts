import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

test(...rule('operations.status.isolated', 'unknown'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('operation') }
  expect(await api.call('operations.status', { path })).toBeRefused('operation-unknown')
})
