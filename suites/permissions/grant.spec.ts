import { drawSecret, encryptionFields } from '../../lib/flows/session.ts'
import { fingerprint } from '../../lib/node/certificate.ts'
import { anonymousSubject, makeCertificate } from '../../lib/node/pki.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { issuedAround } from '../support/filters.ts'
import { formCodes } from '../support/forms.ts'
import {
  byNip,
  entityGrant,
  euGrant,
  grantBy,
  granted,
  grantPerson,
  indirectGrant,
  listGranted,
  outcomeOfOperation,
  personGrant,
  unitGrant,
} from '../support/grants.ts'
import type { ListedPermission } from '../support/grants.ts'
import { personAt } from '../support/people.ts'
import { askFor } from '../support/permission-lists.ts'
import { rule } from '../support/rule.ts'
import { authenticateAs } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'
import { drawUnit } from '../support/units.ts'

for (const kind of ['Nip', 'Pesel'] as const) {
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

test(
  ...rule('permissions.grant.effective', 'before the grant'),
  async ({ api, own, rng, target }) => {
    const person = personAt(own, rng, target)
    const outcome = await authenticateAs(api, person.context)
    expect(outcome).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'during the operation'),
  async ({ login, own, rng, target, clock }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const body = { formCode: formCodes.fa3, ...(await encryptionFields(me.api, drawSecret())) }
    await clock.still()
    const started = await api.call('permissions.grantPerson', {
      body: personGrant(person.subject, ['InvoiceWrite']),
    })
    expect(started).toBeOk()
    const early = await me.api.call('sessions.openOnline', { body, pace: false })
    expect(early).toBeRefused('missing-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'after the operation'),
  async ({ login, own, rng, target, clock }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const body = issuedAround(clock.now())
    expect(await me.api.call('queries.metadata', { body })).toBeOk()
    const secret = await encryptionFields(me.api, drawSecret())
    const opening = { formCode: formCodes.fa3, ...secret }
    expect(await me.api.call('sessions.openOnline', { body: opening })).toBeRefused(
      'missing-permission',
    )
    await grantPerson(api, person.subject, ['InvoiceWrite'])
    const again = await login({ context: person.context })
    expect(await again.api.call('sessions.openOnline', { body: opening })).toBeOk()
  },
)

test(
  ...rule('permissions.grant.effective', 'unit only'),
  async ({ api, login, own, rng, target }) => {
    const unit = drawUnit(rng, own.nip)
    const person = personAt(unit, rng, target)
    const { api: head } = await login()
    await grantBy(head, 'permissions.grantSubunit', unitGrant(person.subject, unit, 'a branch'))
    const outcome = await authenticateAs(api, person.context)
    expect(outcome, 'in the unit').toHaveSucceeded('authentication')
    const { type, value } = own
    const above = await authenticateAs(api, person.context, { context: { type, value } })
    expect(above, 'above the unit').toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'own context only'),
  async ({ api, login, own, rng, target, another }) => {
    const { type, value } = await another()
    const person = personAt(own, rng, target)
    await grantPerson((await login()).api, person.subject, ['InvoiceRead'])
    expect(await authenticateAs(api, person.context, { context: { type, value } })).toBeRejected(
      'subject-without-permission',
    )
  },
)

test(
  ...rule('permissions.grant.effective', 'delegated for one client'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const [one, other] = [await another(), await another()]
    for (const context of [one, other]) {
      const client = await login({ context })
      const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
      await grantBy(client.api, 'permissions.grantEntity', passOn)
    }
    const person = personAt(own, rng, target)
    const firm = byNip(one.nip)
    const body = indirectGrant(person.subject, ['InvoiceRead'], firm)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    const enter = async ({ nip }: { readonly nip: string }) => {
      const context = byNip(nip)
      return authenticateAs(api, person.context, { context })
    }
    expect(await enter(one), 'at the client').toHaveSucceeded('authentication')
    expect(await enter(other)).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'not delegable'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const kept = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: false }])
    await grantBy(client.api, 'permissions.grantEntity', kept)
    const person = personAt(own, rng, target)
    const all = { type: 'AllPartners' }
    const body = indirectGrant(person.subject, ['InvoiceRead'], all)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    const context = byNip(client.context.nip)
    const outcome = await authenticateAs(api, person.context, { context })
    expect(outcome).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.refusals', 'no delegation'),
  async ({ login, own, another, rng, target }) => {
    const { api } = await login()
    const client = await another()
    const { subject } = personAt(own, rng, target)
    const firm = byNip(client.nip)
    const body = indirectGrant(subject, ['InvoiceRead'], firm)
    const outcome = await outcomeOfOperation(
      api,
      await api.call('permissions.grantIndirect', { body }),
    )
    expect(outcome).toBeRejected('grant-refused')
  },
)

for (const [what, unitOf] of [
  ['foreign unit', (nip: string, internal: (nip: string) => string) => internal(nip)],
  ['not a unit', (nip: string) => nip],
] as const)
  test(
    ...rule('permissions.grant.refusals', what),
    async ({ login, own, another, rng, target }) => {
      const { api } = await login()
      const { nip } = await another()
      const value = unitOf(nip, (whose) => drawUnit(rng, whose).value)
      const unit = { type: value === nip ? 'Nip' : 'InternalId', value }
      const { subject } = personAt(own, rng, target)
      const body = unitGrant(subject, unit, 'a branch')
      const outcome = await outcomeOfOperation(
        api,
        await api.call('permissions.grantSubunit', { body }),
      )
      expect(outcome).toBeRejected('grant-refused')
    },
  )

for (const [what, subunitName, turned] of [
  ['unnamed unit', undefined, 0],
  ['invalid unit', 'a branch', 1],
] as const)
  test(...rule('permissions.grant.refusals', what), async ({ login, own, rng }) => {
    const { api } = await login()
    const right = drawUnit(rng, own.nip).value
    const value = right.slice(0, -1) + String((Number(right.at(-1)) + turned) % 10)
    const body = unitGrant(byNip(drawNip(rng)), { type: 'InternalId', value }, '')
    const answer = await api.call('permissions.grantSubunit', { body: { ...body, subunitName } })
    expect(answer).toBeRefused('invalid-input')
  })

test(
  ...rule('permissions.grant.refusals', 'context of another kind'),
  async ({ login, target }) => {
    const { api } = await login()
    const clerk = makeCertificate({ subject: anonymousSubject('Nowak'), now: target.now() })
    const body = euGrant(fingerprint(clerk.certificate), ['InvoiceRead'])
    const answer = await api.call('permissions.grantEu', { body })
    expect(answer).toBeRefused('context-kind-not-allowed')
  },
)
