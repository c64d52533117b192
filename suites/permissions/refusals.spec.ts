import { randomUUID } from 'node:crypto'
import type { Client } from '../../lib/client.ts'
import { Inconclusive } from '../../lib/outcome.ts'
import { fateOfOperation, grantPerson, listGranted, revoke } from '../support/grants.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

const subject = { type: 'Nip', value: '5265877635' }

/** Grants a permission in the caller's context; its id. */
const grant = async (api: Client): Promise<string> => {
  await grantPerson(api, subject, ['Introspection'])
  const listed = await listGranted(api)
  const found = listed.find(({ permissionScope }) => permissionScope === 'Introspection')
  if (found === undefined) throw new Inconclusive('find the permission', 'the one just granted')
  return found.id
}

test(...rule('permissions.revoke.refusals', 'no right'), async ({ login, limited }) => {
  const { api } = await login()
  const id = await grant(api)
  const me = await limited(['InvoiceRead', 'InvoiceWrite'])
  expect(await revoke(me.api, id)).toBeRefused('missing-permission')
  const left = (await listGranted(api)).map((permission) => permission.id)
  expect(left, 'what is granted after the refusal').toContain(id)
})

test(...rule('permissions.revoke.refusals', 'unknown'), async ({ login }) => {
  const { api } = await login()
  const fate = await fateOfOperation(api, await revoke(api, randomUUID()))
  expect(fate).toBeRejected('permission-unknown')
})

test(...rule('permissions.revoke.refusals', 'already revoked'), async ({ login }) => {
  const { api } = await login()
  const id = await grant(api)
  expect(await fateOfOperation(api, await revoke(api, id)), 'the first').toHaveSucceeded(
    'operation',
  )
  const fate = await fateOfOperation(api, await revoke(api, id))
  expect(fate).toBeRejected('permission-already-revoked')
})

test(...rule('permissions.revoke.refusals', 'no access'), async ({ login, another, target }) => {
  test.skip(!target.has('second'), 'there is no second context')
  const { api } = await login()
  const id = await grant(api)
  const other = await login({ context: await another() })
  const fate = await fateOfOperation(other.api, await revoke(other.api, id))
  expect(fate).toBeRejected('permission-no-access')
  const left = (await listGranted(api)).map((permission) => permission.id)
  expect(left, 'what is granted after the refusal').toContain(id)
})
