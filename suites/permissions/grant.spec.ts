import { fetchChallenge } from '../../lib/flows/login.ts'
import { drawSecret, encryptionFields } from '../../lib/flows/session.ts'
import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { expectText } from '../../lib/outcome.ts'
import { issuedAround } from '../support/filters.ts'
import { formCodes } from '../support/forms.ts'
import {
  grantBy,
  grantPerson,
  listGranted,
  personGrant,
  settleOperation,
  unitGrant,
} from '../support/grants.ts'
import type { ListedPermission } from '../support/grants.ts'
import { personAt } from '../support/people.ts'
import { rule } from '../support/rule.ts'
import { authenticate } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

for (const kind of ['Nip', 'Pesel'] as const) {
  test(...rule('permissions.grant.listed', `to a ${kind}`), async ({ login, own, rng, target }) => {
    const { api } = await login()
    const { subject } = personAt(own, rng, target, kind)
    expect(await listGranted(api), 'grants before the first one').toEqual([])
    await grantPerson(api, subject, ['InvoiceRead', 'Introspection'])
    const listed = await listGranted(api)
    expect(
      listed.map(({ permissionScope }) => permissionScope).toSorted(),
      'what is listed',
    ).toEqual(['Introspection', 'InvoiceRead'])
    for (const { authorizedIdentifier } of listed)
      expect(authorizedIdentifier, 'to whom it was granted').toMatchObject({ ...subject })
    const ids = new Set(listed.map(({ id }) => id))
    expect(ids.size, 'ids of the two permissions').toBe(2)
  })
}

test(...rule('permissions.grant.listed', 'narrowed'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const [one, other] = [personAt(own, rng, target), personAt(own, rng, target)]
  await grantPerson(api, one.subject, ['InvoiceRead', 'InvoiceWrite'])
  await grantPerson(api, other.subject, ['InvoiceRead'])
  const page = async (filters: Readonly<Record<string, unknown>>, query = {}) => {
    const answer = await api.call('permissions.queryPersons', {
      query: { pageSize: 100, ...query },
      body: { queryType: 'PermissionsGrantedInCurrentContext', ...filters },
    })
    expect(answer).toBeOk()
    return answer.body as { permissions: readonly ListedPermission[]; hasMore: boolean }
  }
  const write = await page({ permissionTypes: ['InvoiceWrite'] })
  expect(write.permissions, 'by kind of permission').toMatchObject([
    { permissionScope: 'InvoiceWrite', authorizedIdentifier: one.subject },
  ])
  const theirs = await page({ authorizedIdentifier: other.subject })
  expect(theirs.permissions, 'by whom it was granted to').toMatchObject([
    { permissionScope: 'InvoiceRead', authorizedIdentifier: other.subject },
  ])
  expect(await page({ permissionTypes: ['Introspection'] }), 'of none').toMatchObject({
    permissions: [],
    hasMore: false,
  })
  expect((await page({})).hasMore, 'more than the only page').toBe(false)
})

test(...rule('permissions.grant.listed', 'a full page'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const five = ['InvoiceRead', 'InvoiceWrite', 'Introspection', 'CredentialsRead', 'SubunitManage']
  for (let person = 0; person < 2; person += 1)
    await grantPerson(api, personAt(own, rng, target).subject, five)
  const answer = await api.call('permissions.queryPersons', {
    query: { pageSize: 10 },
    body: { queryType: 'PermissionsGrantedInCurrentContext' },
  })
  expect(answer).toBeOk()
  const { permissions, hasMore } = answer.body as { permissions: unknown[]; hasMore: boolean }
  expect([permissions.length, hasMore], 'ten permissions on a page of ten').toEqual([10, false])
})

test(...rule('permissions.grant.listed', 'to an entity'), async ({ login, another }) => {
  const { api, context } = await login()
  const office = await login({ context: await another() })
  const { nip } = office.context
  const started = await api.call('permissions.grantEntity', {
    body: {
      subjectIdentifier: { type: 'Nip', value: nip },
      permissions: [{ type: 'InvoiceRead', canDelegate: true }],
      description: 'granted by a conformance check',
      subjectDetails: { fullName: 'Office of a check' },
    },
  })
  expect(started).toBeOk()
  const reference = expectText(started, 'grant', 'referenceNumber')
  expect(await settleOperation(api, reference)).toHaveSucceeded('operation')
  const answer = await office.api.call('permissions.queryEntities', { body: {} })
  expect(answer).toBeOk()
  const { permissions } = answer.body as { permissions: unknown[] }
  expect(permissions, 'what entities granted to the office').toMatchObject([
    {
      contextIdentifier: { type: 'Nip', value: context.nip },
      permissionScope: 'InvoiceRead',
      canDelegate: true,
    },
  ])
})

test(
  ...rule('permissions.grant.listed', 'to whom it was granted'),
  async ({ login, own, rng, target }) => {
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const answer = await me.api.call('permissions.queryPersonal', { body: {} })
    expect(answer).toBeOk()
    const { permissions } = answer.body as { permissions: unknown[] }
    expect(permissions, 'what a person finds to be permitted').toMatchObject([
      { permissionScope: 'InvoiceRead', permissionState: 'Active' },
    ])
  },
)

test(
  ...rule('permissions.grant.listed', 'in its own context alone'),
  async ({ login, own, rng, target, another }) => {
    const { api } = await login()
    await grantPerson(api, personAt(own, rng, target).subject, ['InvoiceRead'])
    const other = await login({ context: await another() })
    expect(await listGranted(other.api), 'grants in another context').toEqual([])
  },
)

test(
  ...rule('permissions.grant.effective', 'before, no way in'),
  async ({ api, own, rng, target }) => {
    const person = personAt(own, rng, target)
    const { challenge } = await fetchChallenge(api)
    const fate = await authenticate(api, await person.context.document(challenge))
    expect(fate).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'before its operation is finished'),
  async ({ login, own, rng, target, clock }) => {
    test.skip(
      !target.has('clock'),
      'the operation ends before anyone can look, unless the clock stops',
    )
    const { api } = await login()
    const person = personAt(own, rng, target)
    await grantPerson(api, person.subject, ['InvoiceRead'])
    const me = await login({ context: person.context })
    const body = {
      formCode: formCodes.fa3,
      ...(await encryptionFields(me.api, drawSecret())),
    }
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
  ...rule('permissions.grant.effective', 'after'),
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
  ...rule('permissions.grant.effective', 'in its unit alone'),
  async ({ api, login, own, rng, target }) => {
    const unit = { type: 'InternalId', value: drawInternalId(rng, own.nip) } as const
    const person = personAt(unit, rng, target)
    const { api: head } = await login()
    await grantBy(head, 'permissions.grantSubunit', unitGrant(person.subject, unit, 'a branch'))
    const { challenge: within } = await fetchChallenge(api)
    const fate = await authenticate(api, await person.context.document(within))
    expect(fate, 'in the unit').toHaveSucceeded('authentication')
    const { challenge } = await fetchChallenge(api)
    const { type, value } = own
    const above = await person.context.document(challenge, { context: { type, value } })
    expect(await authenticate(api, above)).toBeRejected('subject-without-permission')
  },
)

test(
  ...rule('permissions.grant.effective', 'in its own context alone'),
  async ({ api, login, own, rng, target, another }) => {
    const other = await another()
    const person = personAt(own, rng, target)
    await grantPerson((await login()).api, person.subject, ['InvoiceRead'])
    const { type, value } = other
    const { challenge } = await fetchChallenge(api)
    const document = await person.context.document(challenge, { context: { type, value } })
    expect(await authenticate(api, document)).toBeRejected('subject-without-permission')
  },
)
