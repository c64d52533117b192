import { drawInternalId } from '../../lib/internal-id.ts'
import { drawPesel } from '../../lib/pesel.ts'
import {
  authorizationGrant,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  grantInTest,
  grantPerson,
  indirectGrant,
  unitGrant,
} from '../grants.ts'
import type { Row } from '../paged-lists.ts'
import { pagesByNumber } from '../paged-lists.ts'
import { personAt } from '../people.ts'
import { rule } from '../rule.ts'
import { expect, test } from '../test.ts'
import type { GrantListName } from './listed.ts'
import { grantLists, listOf } from './listed.ts'

/** What the lists of permissions tell of each, and how they are paged. */

const description = 'granted by a conformance check'
const anna = {
  subjectDetailsType: 'PersonByIdentifier',
  firstName: 'Anna',
  lastName: 'Nowak',
}

const granted = { queryType: 'PermissionsGrantedInCurrentContext' }

/** That all of a list is told rightly: ids that differ, beginnings of the present, and what is expected besides. */
const judged = (rows: readonly Row[], now: number, expected: readonly Row[]) => {
  expect(rows, 'what is told').toMatchObject(expected.map((row) => ({ description, ...row })))
  expect(new Set(rows.map(({ id }) => id)).size, 'ids that differ').toBe(rows.length)
  for (const { startDate } of rows)
    expect(
      Math.abs(Date.parse(String(startDate)) - now),
      'milliseconds from its beginning to the present',
    ).toBeLessThan(600_000)
}

test(
  ...rule('permissions.query.described', 'persons and personal'),
  async ({ api, login, own, rng, target }) => {
    const owner = await login()
    const person = personAt(own, rng, target)
    const { subject } = person
    await grantPerson(owner.api, subject, ['InvoiceRead'])
    const here = { type: 'Nip', value: own.nip }
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
    judged(await listOf(me.api, 'personal'), target.now(), [
      { ...record, contextIdentifier: here, authorizedIdentifier: subject },
    ])
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
  ...rule('permissions.query.described', 'passed on'),
  async ({ login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = { type: 'Nip', value: client.context.nip }
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

test(...rule('permissions.query.described', 'subunits'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const { subject } = personAt(own, rng, target)
  const unit = { type: 'InternalId', value: drawInternalId(rng, own.nip) }
  await grantBy(api, 'permissions.grantSubunit', unitGrant(subject, unit, 'branch seven'))
  judged(await listOf(api, 'subunits'), target.now(), [
    {
      authorizedIdentifier: subject,
      subunitIdentifier: unit,
      subunitName: 'branch seven',
      authorIdentifier: { type: 'Nip', value: own.nip },
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
  const contextIdentifier = { type: 'Nip', value: context.nip }
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
    const subject = { type: 'Nip', value: agent.context.nip }
    const body = authorizationGrant(subject, 'TaxRepresentative')
    await grantBy(api, 'permissions.grantAuthorization', body)
    const record = {
      authorizedEntityIdentifier: subject,
      authorizingEntityIdentifier: { type: 'Nip', value: context.nip },
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
      authorIdentifier: { type: 'Nip', value: context.nip },
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
      'milliseconds from its beginning to the present',
    ).toBeLessThan(600_000)
    expect(await rolesOf(await login({ context: unit })), 'the role of the member').toMatchObject([
      { role: 'VatGroupSubUnit', parentEntityIdentifier: { type: 'Nip', value: own.nip } },
    ])
  },
)

/** That twelve permissions stand on two pages of ten, each once, the newest first. */
const twelve = async (
  api: Parameters<typeof listOf>[0],
  list: GrantListName,
  body: Readonly<Record<string, unknown>> = {},
) => {
  const [operation, field] = grantLists[list]
  const pages = await pagesByNumber(api, operation, field, { body, pageSize: 10 })
  expect(
    pages.map(({ length }) => length),
    'permissions on each page',
  ).toEqual([10, 2])
  const rows = pages.flat()
  expect(new Set(rows.map(({ id }) => id)).size, 'permissions that differ').toBe(12)
  const begun = rows.map(({ startDate }) => Date.parse(String(startDate)))
  expect(begun, 'beginnings, the newest first').toEqual(begun.toSorted((a, b) => b - a))
  const past = await api.call(operation, { query: { pageSize: 10, pageOffset: 2 }, body })
  expect(past.body, 'a page behind the last one').toMatchObject({ [field]: [], hasMore: false })
}

test(...rule('permissions.query.paged', 'persons'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  for (const permissions of [
    ['InvoiceRead', 'InvoiceWrite', 'Introspection'],
    ['CredentialsRead', 'SubunitManage', 'InvoiceRead'],
    ['InvoiceRead', 'InvoiceWrite', 'CredentialsManage'],
    ['InvoiceRead', 'InvoiceWrite', 'Introspection'],
  ])
    await grantPerson(api, personAt(own, rng, target).subject, permissions)
  await twelve(api, 'persons', granted)
})

test(...rule('permissions.query.paged', 'subunits'), async ({ login, own, rng }) => {
  const { api } = await login()
  for (let made = 0; made < 12; made += 1) {
    const unit = { type: 'InternalId', value: drawInternalId(rng, own.nip) }
    const subject = { type: 'Pesel', value: drawPesel(rng) }
    await grantBy(api, 'permissions.grantSubunit', unitGrant(subject, unit, 'a branch'))
  }
  await twelve(api, 'subunits')
})

test(...rule('permissions.query.paged', 'authorizations'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  for (let made = 0; made < 4; made += 1) {
    const { subject } = personAt(own, rng, target)
    for (const kind of ['SelfInvoicing', 'TaxRepresentative', 'RRInvoicing'])
      await grantBy(api, 'permissions.grantAuthorization', authorizationGrant(subject, kind))
  }
  await twelve(api, 'authorizations', { queryType: 'Granted' })
})

test(...rule('permissions.query.paged', 'eu'), async ({ login, rng }) => {
  const { api, context } = await login()
  for (const vat of ['DE123456789', 'DE987654321', 'FRXX123456789'])
    await grantBy(
      api,
      'permissions.grantEuAdministration',
      euAdministrationGrant(`A${rng.digits(63)}`, `${context.nip}-${vat}`),
    )
  await twelve(api, 'eu')
})

test(...rule('permissions.query.paged', 'entities'), async ({ login, another }) => {
  const office = await login()
  const both = [{ type: 'InvoiceRead' }, { type: 'InvoiceWrite' }]
  for (let made = 0; made < 6; made += 1) {
    const { api } = await login({ context: await another() })
    await grantBy(api, 'permissions.grantEntity', entityGrant(office.context.nip, both))
  }
  await twelve(office.api, 'entities')
})
