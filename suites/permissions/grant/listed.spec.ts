import {
  byNip,
  entityGrant,
  grantBy,
  granted,
  grantPerson,
  listGranted,
  outcomeOfOperation,
  revoke,
} from '../../support/callers/grants.ts'
import type { ListedPermission } from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { askFor } from '../../support/callers/permission-lists.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

for (const kind of ['Nip', 'Pesel', 'Fingerprint'] as const) {
  test(...rule('permissions.grant.listed', `to a ${kind}`), async ({ login, own, rng, target }) => {
    const { api } = await login()
    const { subject } = personAt(own, rng, target, kind)
    expect(await listGranted(api), 'permissions before the first grant').toEqual([])
    await grantPerson(api, subject, ['InvoiceRead', 'Introspection'])
    const listed = await listGranted(api)
    const scopes = listed.map(({ permissionScope }) => permissionScope)
    expect(scopes.toSorted(), 'what is listed').toEqual(['Introspection', 'InvoiceRead'])
    for (const { authorizedIdentifier } of listed)
      expect(authorizedIdentifier, 'the holder').toMatchObject({ ...subject })
    const ids = new Set(listed.map(({ id }) => id))
    expect(ids.size, 'ids of the two permissions').toBe(2)
  })
}

test(
  ...rule('permissions.grant.listed', 'granted again after a revocation'),
  async ({ login, own, rng, target }) => {
    const { api } = await login()
    const { subject } = personAt(own, rng, target)
    const ids = new Set<string>()
    for (const turn of ['the first', 'the second', 'the third'] as const) {
      await grantPerson(api, subject, ['InvoiceRead', 'Introspection'])
      const listed = await listGranted(api)
      const scopes = listed.map(({ permissionScope }) => permissionScope)
      expect(scopes.toSorted(), `after ${turn} grant`).toEqual(['Introspection', 'InvoiceRead'])
      for (const { id } of listed) {
        expect(ids.has(id), `whether the id ${id} was revoked before`).toBe(false)
        ids.add(id)
        expect(await outcomeOfOperation(api, await revoke(api, id))).toHaveSucceeded('operation')
      }
      expect(await listGranted(api), `after the revocation of ${turn} grant`).toEqual([])
    }
  },
)

test(...rule('permissions.grant.listed', 'filters'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const [one, other] = [personAt(own, rng, target), personAt(own, rng, target)]
  await grantPerson(api, one.subject, ['InvoiceRead', 'InvoiceWrite'])
  await grantPerson(api, other.subject, ['InvoiceRead'])
  const ask = askFor(api, 'persons', granted)
  const page = async (filters: Readonly<Record<string, unknown>>) => {
    const answer = await ask(filters)
    expect(answer).toBeOk()
    return answer.body as { permissions: readonly ListedPermission[]; hasMore: boolean }
  }
  const write = await page({ permissionTypes: ['InvoiceWrite'] })
  expect(write.permissions, 'filtered by permission').toMatchObject([
    { permissionScope: 'InvoiceWrite', authorizedIdentifier: one.subject },
  ])
  const theirs = await page({ authorizedIdentifier: other.subject })
  expect(theirs.permissions, 'filtered by holder').toMatchObject([
    { permissionScope: 'InvoiceRead', authorizedIdentifier: other.subject },
  ])
  expect(
    await page({ permissionTypes: ['Introspection'] }),
    'filtered by a permission that no one has',
  ).toMatchObject({
    permissions: [],
    hasMore: false,
  })
  expect((await page({})).hasMore, 'whether there is another page').toBe(false)
})

test(...rule('permissions.grant.listed', 'full page'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const five = ['InvoiceRead', 'InvoiceWrite', 'Introspection', 'CredentialsRead', 'SubunitManage']
  for (let person = 0; person < 2; person += 1)
    await grantPerson(api, personAt(own, rng, target).subject, five)
  const query = { pageSize: 10 }
  const answer = await api.call('permissions.queryPersons', { query, body: granted })
  expect(answer).toBeOk()
  const { permissions, hasMore } = answer.body as { permissions: unknown[]; hasMore: boolean }
  expect([permissions.length, hasMore], 'ten permissions on a page of ten').toEqual([10, false])
})

test(...rule('permissions.grant.listed', 'to an entity'), async ({ login, another }) => {
  const { api, context } = await login()
  const office = await login({ context: await another() })
  const { nip } = office.context
  const grant = entityGrant(nip, [{ type: 'InvoiceRead', canDelegate: true }])
  await grantBy(api, 'permissions.grantEntity', grant)
  const answer = await office.api.call('permissions.queryEntities', { body: {} })
  expect(answer).toBeOk()
  const { permissions } = answer.body as { permissions: unknown[] }
  expect(permissions, 'permissions granted to the office').toMatchObject([
    {
      contextIdentifier: byNip(context.nip),
      permissionScope: 'InvoiceRead',
      canDelegate: true,
    },
  ])
})

test(...rule('permissions.grant.listed', 'to its holder'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const person = personAt(own, rng, target)
  await grantPerson(api, person.subject, ['InvoiceRead'])
  const me = await login({ context: person.context })
  const answer = await me.api.call('permissions.queryPersonal', { body: {} })
  expect(answer).toBeOk()
  const { permissions } = answer.body as { permissions: unknown[] }
  expect(permissions, 'permissions that the person sees').toMatchObject([
    { permissionScope: 'InvoiceRead', permissionState: 'Active' },
  ])
})

test(
  ...rule('permissions.grant.listed', 'own context only'),
  async ({ login, own, rng, target, another }) => {
    const { api } = await login()
    await grantPerson(api, personAt(own, rng, target).subject, ['InvoiceRead'])
    const other = await login({ context: await another() })
    expect(await listGranted(other.api), 'permissions in another context').toEqual([])
  },
)
