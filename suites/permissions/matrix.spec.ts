import { endpoint } from '../../contract/endpoints.ts'
import { harmless } from '../support/harmless.ts'
import { covering, heldAlone, withPermission } from '../support/matrices.ts'
import { offered } from '../support/offered.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

for (const permission of heldAlone) {
  const covers = covering('permission', { column: permission })
  test(...rule('permissions.matrix', permission, covers), async ({ limited }) => {
    const { api } = await limited([permission])
    const wrong: string[] = []
    for (const operation of offered(...withPermission)) {
      const { status } = await api.call(operation, harmless(operation))
      const opens = (endpoint(operation).permissions ?? []).includes(permission)
      if ((status === 403) === opens)
        wrong.push(`${operation} ${opens ? 'should open' : 'should not open'}, answered ${status}`)
    }
    expect(wrong, `operations with a wrong decision for ${permission} alone`).toEqual([])
  })
}

test(...rule('permissions.matrix', 'owner'), async ({ login }) => {
  const { api } = await login()
  const wrong: string[] = []
  for (const operation of offered(...withPermission)) {
    const needed: readonly string[] = endpoint(operation).permissions ?? []
    if (!heldAlone.some((permission) => needed.includes(permission))) continue
    const { status } = await api.call(operation, harmless(operation))
    if (status === 403) wrong.push(`${operation} answered ${status}`)
  }
  expect(wrong, 'operations that reject the owner of the context').toEqual([])
})

test(...rule('permissions.matrix', 'service token'), async ({ serviceToken, login }) => {
  const { token } = await serviceToken()
  const { api } = await login({ token })
  const wrong: string[] = []
  for (const operation of offered(...withPermission)) {
    const needed: readonly string[] = endpoint(operation).permissions ?? []
    const opens = needed.includes('InvoiceRead') || needed.includes('InvoiceWrite')
    const { status } = await api.call(operation, harmless(operation))
    if ((status === 403) === opens)
      wrong.push(`${operation} ${opens ? 'should open' : 'should not open'}, answered ${status}`)
  }
  expect(wrong, 'operations with a wrong decision for a service token').toEqual([])
})
