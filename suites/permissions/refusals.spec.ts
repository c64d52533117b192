import { randomUUID } from 'node:crypto'
import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'

test(...rule('permissions.revoke.refusals', 'unknown'), async ({ login }) => {
  const { api } = await login()
  const answer = await api.call('permissions.revoke', { path: { permissionId: randomUUID() } })
  expect(answer).toBeRejected('permission-unknown')
})
