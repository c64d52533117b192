import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  granted,
  grantInTest,
  grantPerson,
  indirectGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import { pagesByNumber } from '../../support/answers/paged-lists.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { drawUnit } from '../../support/run/units.ts'

/** The fields of listed permissions. */

const description = 'granted by a conformance check'

const anna = {
  subjectDetailsType: 'PersonByIdentifier',
  firstName: 'Anna',
  lastName: 'Nowak',
}

/** Expects distinct ids, recent start times, and the given records. */
const judged = (rows: readonly Row[], now: number, expected: readonly Row[]) => {
  expect(rows, 'the reported permissions').toMatchObject(
    expected.map((row) => ({ description, ...row })),
  )
  expect(new Set(rows.map(({ id }) => id)).size, 'ids that differ').toBe(rows.length)
  for (const { startDate } of rows)
    expect(
      Math.abs(Date.parse(String(startDate)) - now),
      'milliseconds since its start',
    ).toBeLessThan(600_000)
}

test(
  ...rule('permissions.query.described', 'persons'),
  async ({ api, login, own, rng, target }) => {
    const owner = await login()
    const person = personAt(own, rng, target)
    const { subject } = person
    await grantPerson(owner.api, subject, ['InvoiceRead'])
    const here = byNip(own.nip)
    const record = {
      permissionScope: 'InvoiceRead',
      permissionState: 'Active',
      canDelegate: false,
      subjectPersonDetails: anna,
    }
    judged(await listOf(owner.api, 'persons', granted), target.now(), [
      { ...record, authorizedIdentifier: subject, authorIdentifier: here },
    ])
    const me = await login({ context: person.context })
    const personal = await listOf(me.api, 'personal')
    judged(personal, target.now(), [{ ...record, contextIdentifier: here }])
    expect(personal[0]?.['authorizedIdentifier'] ?? null, 'a holder other than the caller').toBe(
      null,
    )
    const other = personAt(own, rng, target)
    await grantInTest(api, own, other.subject, ['Introspection'])
    const rows = await listOf(owner.api, 'persons', {
      ...granted,
      authorizedIdentifier: other.subject,
    })
    judged(rows, target.now(), [
      { permissionScope: 'Introspection', authorIdentifier: { type: 'System' } },
    ])
  },
)

test(
  ...rule('permissions.query.described', 'delegated'),
  async ({ login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = byNip(client.context.nip)
    const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
    await grantBy(client.api, 'permissions.grantEntity', passOn)
    const { subject } = personAt(own, rng, target)
    const body = indirectGrant(subject, ['InvoiceRead'], firm)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    judged(await listOf(owner.api, 'persons', granted), target.now(), [
      { authorizedIdentifier: subject, targetIdentifier: firm, permissionScope: 'InvoiceRead' },
    ])
  },
)

test(
  ...rule('permissions.query.described', 'delegated without a base'),
  async ({ login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = byNip(client.context.nip)
    const passOn = (type: string) =>
      grantBy(
        client.api,
        'permissions.grantEntity',
        entityGrant(own.nip, [{ type, canDelegate: true }]),
      )
    await passOn('InvoiceWrite')
    const { subject } = personAt(own, rng, target)
    const body = indirectGrant(subject, ['InvoiceRead'], firm)
    await grantBy(owner.api, 'permissions.grantIndirect', body)
    const states = async () =>
      (await listOf(owner.api, 'persons', granted)).map(({ permissionState }) => permissionState)
    expect(await states(), 'while the client permits to delegate another one').toEqual(['Inactive'])
    await passOn('InvoiceRead')
    expect(await states(), 'once the client permits to delegate it').toEqual(['Active'])
  },
)

test(...rule('permissions.query.described', 'subunits'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const { subject } = personAt(own, rng, target)
  const unit = drawUnit(rng, own.nip)
  await grantBy(api, 'permissions.grantSubunit', unitGrant(subject, unit, 'branch seven'))
  judged(await listOf(api, 'subunits'), target.now(), [
    {
      authorizedIdentifier: subject,
      subunitIdentifier: unit,
      subunitName: 'branch seven',
      authorIdentifier: byNip(own.nip),
      permissionScope: 'CredentialsManage',
      subjectPersonDetails: anna,
    },
  ])
})

test(...rule('permissions.query.described', 'entities'), async ({ login, another, target }) => {
  const { api, context } = await login()
  const office = await login({ context: await another() })
  const body = entityGrant(office.context.nip, [
    { type: 'InvoiceRead', canDelegate: true },
    { type: 'InvoiceWrite', canDelegate: false },
  ])
  await grantBy(api, 'permissions.grantEntity', body)
  const contextIdentifier = byNip(context.nip)
  const rows = (await listOf(office.api, 'entities')).toSorted((a, b) =>
    String(a['permissionScope']).localeCompare(String(b['permissionScope'])),
  )
  judged(rows, target.now(), [
    { permissionScope: 'InvoiceRead', canDelegate: true, contextIdentifier },
    { permissionScope: 'InvoiceWrite', canDelegate: false, contextIdentifier },
  ])
})

test(
  ...rule('permissions.query.described', 'authorizations'),
  async ({ login, another, target }) => {
    const { api, context } = await login()
    const agent = await login({ context: await another() })
    const subject = byNip(agent.context.nip)
    const body = authorizationGrant(subject, 'TaxRepresentative')
    await grantBy(api, 'permissions.grantAuthorization', body)
    const record = {
      authorizedEntityIdentifier: subject,
      authorizingEntityIdentifier: byNip(context.nip),
      authorizationScope: 'TaxRepresentative',
      subjectEntityDetails: { fullName: 'Agent of a check' },
    }
    for (const [me, queryType] of [
      [{ api }, 'Granted'],
      [agent, 'Received'],
    ] as const)
      judged(await listOf(me.api, 'authorizations', { queryType }), target.now(), [record])
  },
)

test(...rule('permissions.query.described', 'eu'), async ({ login, rng, target }) => {
  const { api, context } = await login()
  const fingerprint = `A${rng.digits(63)}`
  const body = euAdministrationGrant(fingerprint, `${context.nip}-DE123456789`, 'Beispiel GmbH')
  await grantBy(api, 'permissions.grantEuAdministration', body)
  const rows = await listOf(api, 'eu', { permissionTypes: ['VatUeManage'] })
  judged(rows, target.now(), [
    {
      permissionScope: 'VatUeManage',
      vatUeIdentifier: 'DE123456789',
      euEntityName: 'Beispiel GmbH',
      authorizedFingerprintIdentifier: fingerprint,
      authorIdentifier: byNip(context.nip),
      subjectEntityDetails: { fullName: 'Muster GmbH' },
      euEntityDetails: { fullName: 'Muster GmbH', address: 'Berlin' },
    },
  ])
})

test(
  ...rule('permissions.query.described', 'roles'),
  async ({ api, login, own, another, target }) => {
    const unit = await another()
    const subunits = [{ subjectNip: unit.nip, description: 'a member of the group' }]
    const made = { subjectNip: own.nip, subjectType: 'VatGroup', description: 'the group' }
    expect(await api.call('testdata.createSubject', { body: { ...made, subunits } })).toBeOk()
    const rolesOf = async (me: { readonly api: typeof api }) =>
      (await pagesByNumber(me.api, 'permissions.queryRoles', 'roles', { pageSize: 10 })).flat()
    const head = await login()
    const [group] = await rolesOf(head)
    expect(group, 'the role of the head').toMatchObject({
      role: 'VatGroupUnit',
      description: 'the group',
    })
    expect(
      Math.abs(Date.parse(String(group?.['startDate'])) - target.now()),
      'milliseconds since its start',
    ).toBeLessThan(600_000)
    expect(await rolesOf(await login({ context: unit })), 'the role of the member').toMatchObject([
      { role: 'VatGroupSubUnit', parentEntityIdentifier: byNip(own.nip) },
    ])
  },
)
