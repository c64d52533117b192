import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { expectOk } from '../../lib/outcome.ts'
import { personDetails } from '../support/grant-details.ts'
import {
  authorizationGrant,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  grantInTest,
  indirectGrant,
  personGrant,
  unitGrant,
} from '../support/grants.ts'
import { pagesByNumber } from '../support/paged-lists.ts'
import type { Row } from '../support/paged-lists.ts'
import { personAt } from '../support/people.ts'
import { expectRows, reading } from '../support/permission-lists.ts'
import { familyRule } from '../support/rule.ts'
import { test } from '../support/test.ts'

/** Every field of every row of the lists of permissions, after grants that differ in each of them. */

const named = (list: string) =>
  familyRule('permissions.query.described', 'row of permissions', list)

const granted = { queryType: 'PermissionsGrantedInCurrentContext' }

const nip = (value: string) => ({ type: 'Nip', value })

test(...named('persons'), async ({ login, own, rng, target }) => {
  const owner = await login()
  const { first, second, withIdentifier, withoutIdentifier } = personDetails(rng)
  const print = () => ({ type: 'Fingerprint', value: `A${rng.digits(63)}` })
  const grants = [
    [personAt(own, rng, target).subject, 'InvoiceRead', first],
    [personAt(own, rng, target, 'Pesel').subject, 'CredentialsManage', second],
    [print(), 'Introspection', withIdentifier],
    [print(), 'SubunitManage', withoutIdentifier],
  ] as const
  const here = { type: 'Nip', value: own.nip }
  const expected: Row[] = []
  for (const [place, [subject, permissionScope, { given, shown }]] of grants.entries()) {
    const description = `reason number ${place}`
    await grantBy(owner.api, 'permissions.grantPerson', {
      ...personGrant(subject, [permissionScope]),
      description,
      subjectDetails: given,
    })
    expected.push({
      description,
      authorizedIdentifier: subject,
      authorIdentifier: here,
      permissionScope,
      permissionState: 'Active',
      canDelegate: false,
      subjectPersonDetails: shown,
    })
  }
  await expectRows(reading(owner.api, 'persons', granted), expected)
})

test(...named('persons, further grants'), async ({ api, login, own, another, rng, target }) => {
  const owner = await login()
  const { first, second } = personDetails(rng)
  const unit = { type: 'InternalId', value: drawInternalId(rng, own.nip) }
  const head = personAt(own, rng, target).subject
  await grantBy(owner.api, 'permissions.grantSubunit', {
    ...unitGrant(head, unit, 'a branch'),
    description: 'reason of a unit',
    subjectDetails: second.given,
  })
  const ofUnit = { contextIdentifier: unit, permissionScope: 'CredentialsManage' }
  const firm = await login({ context: await another() })
  const client = { type: 'Nip', value: firm.context.nip }
  const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
  await grantBy(firm.api, 'permissions.grantEntity', passOn)
  const agent = personAt(own, rng, target, 'Pesel').subject
  await grantBy(owner.api, 'permissions.grantIndirect', {
    ...indirectGrant(agent, ['InvoiceWrite'], client),
    description: 'reason of a client',
    subjectDetails: first.given,
  })
  const all = personAt(own, rng, target).subject
  await grantBy(owner.api, 'permissions.grantIndirect', {
    ...indirectGrant(all, ['InvoiceRead'], { type: 'AllPartners' }),
    description: 'reason of all clients',
    subjectDetails: second.given,
  })
  const tested = personAt(own, rng, target).subject
  await grantInTest(api, own, tested, ['CredentialsRead'])
  await expectRows(reading(owner.api, 'persons', granted), [
    { ...ofUnit, description: 'reason of a unit', authorizedIdentifier: head },
    {
      description: 'reason of a client',
      authorizedIdentifier: agent,
      targetIdentifier: client,
      permissionState: 'Inactive',
      subjectPersonDetails: first.shown,
    },
    {
      description: 'reason of all clients',
      authorizedIdentifier: all,
      targetIdentifier: { type: 'AllPartners' },
      subjectPersonDetails: second.shown,
    },
    {
      description: 'granted by a conformance check',
      authorizedIdentifier: tested,
      authorIdentifier: { type: 'System' },
      permissionScope: 'CredentialsRead',
    },
  ])
})

test(...named('personal'), async ({ login, own, rng, target }) => {
  const owner = await login()
  const { first, second } = personDetails(rng)
  const person = personAt(own, rng, target)
  const grants = [
    ['InvoiceRead', first],
    ['CredentialsRead', second],
  ] as const
  const expected: Row[] = []
  for (const [place, [permissionScope, { given, shown }]] of grants.entries()) {
    const description = `reason number ${place}`
    await grantBy(owner.api, 'permissions.grantPerson', {
      ...personGrant(person.subject, [permissionScope]),
      description,
      subjectDetails: given,
    })
    expected.push({
      description,
      permissionScope,
      permissionState: 'Active',
      canDelegate: false,
      contextIdentifier: { type: 'Nip', value: own.nip },
      subjectPersonDetails: shown,
    })
  }
  const { api } = await login({ context: person.context })
  await expectRows(reading(api, 'personal'), expected)
})

test(...named('subunits'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const expected: Row[] = []
  for (const [place, { given, shown }] of Object.values(personDetails(rng)).entries()) {
    const byPrint =
      'personById' in given ? undefined : { type: 'Fingerprint', value: `A${rng.digits(63)}` }
    const subject = byPrint ?? personAt(own, rng, target, place === 0 ? 'Nip' : 'Pesel').subject
    const unit = { type: 'InternalId', value: drawInternalId(rng, own.nip) }
    const [description, subunitName] = [`reason number ${place}`, `branch number ${place}`]
    const body = unitGrant(subject, unit, subunitName)
    await grantBy(api, 'permissions.grantSubunit', { ...body, description, subjectDetails: given })
    expected.push({
      description,
      subunitName,
      subunitIdentifier: unit,
      authorizedIdentifier: subject,
      authorIdentifier: { type: 'Nip', value: own.nip },
      permissionScope: 'CredentialsManage',
      subjectPersonDetails: shown,
    })
  }
  await expectRows(reading(api, 'subunits'), expected)
})

test(...named('entities'), async ({ login, another }) => {
  const office = await login()
  const expected: Row[] = []
  for (const [permissionScope, canDelegate] of [
    ['InvoiceRead', true],
    ['InvoiceWrite', false],
  ] as const) {
    const { api, context } = await login({ context: await another() })
    const description = `reason of ${permissionScope}`
    const body = entityGrant(office.context.nip, [{ type: permissionScope, canDelegate }])
    await grantBy(api, 'permissions.grantEntity', { ...body, description })
    const contextIdentifier = { type: 'Nip', value: context.nip }
    expected.push({ description, permissionScope, canDelegate, contextIdentifier })
  }
  await expectRows(reading(office.api, 'entities'), expected)
})

test(...named('authorizations'), async ({ login, another }) => {
  const [owner, agent] = [await login(), await login({ context: await another() })]
  const grants = [
    [owner, nip(agent.context.nip), 'TaxRepresentative'],
    [owner, { type: 'PeppolId', value: 'PPL123456' }, 'PefInvoicing'],
    [await login({ context: await another() }), nip(agent.context.nip), 'SelfInvoicing'],
  ] as const
  const expected: Row[] = []
  for (const [place, [me, subject, authorizationScope]] of grants.entries()) {
    const description = `reason number ${place}`
    const fullName = `Agent number ${place}`
    await grantBy(me.api, 'permissions.grantAuthorization', {
      ...authorizationGrant(subject, authorizationScope),
      description,
      subjectDetails: { fullName },
    })
    expected.push({
      description,
      authorizationScope,
      authorizedEntityIdentifier: subject,
      authorizingEntityIdentifier: nip(me.context.nip),
      subjectEntityDetails: { subjectDetailsType: 'EntityByIdentifier', fullName },
    })
  }
  await expectRows(
    reading(owner.api, 'authorizations', { queryType: 'Granted' }),
    expected.slice(0, 2),
  )
  await expectRows(
    reading(agent.api, 'authorizations', { queryType: 'Received' }),
    [expected[0], expected[2]].filter((row) => row !== undefined),
  )
})

test(...named('eu'), async ({ login, rng }) => {
  const { api, context } = await login()
  const { withIdentifier, withoutIdentifier } = personDetails(rng)
  const entity = { fullName: 'Exempel AB', address: 'Stockholm' }
  const details = [
    {
      given: { subjectDetailsType: 'EntityByFingerprint', entityByFp: entity },
      shown: { subjectEntityDetails: { subjectDetailsType: 'EntityByFingerprint', ...entity } },
    },
    { given: withIdentifier.given, shown: { subjectPersonDetails: withIdentifier.shown } },
    { given: withoutIdentifier.given, shown: { subjectPersonDetails: withoutIdentifier.shown } },
  ]
  const expected: Row[] = []
  for (const [place, { given, shown }] of details.entries()) {
    const print = `A${rng.digits(63)}`
    const vat = `DE${rng.digits(9)}`
    const euEntityName = `Beispiel ${place} GmbH`
    const euEntityDetails = { fullName: `Muster ${place} GmbH`, address: `Berlin ${place}` }
    const description = `reason number ${place}`
    await grantBy(api, 'permissions.grantEuAdministration', {
      ...euAdministrationGrant(print, `${context.nip}-${vat}`, euEntityName),
      description,
      subjectDetails: given,
      euEntityDetails,
    })
    expected.push({
      description,
      permissionScope: 'VatUeManage',
      vatUeIdentifier: vat,
      euEntityName,
      authorizedFingerprintIdentifier: print,
      authorIdentifier: { type: 'Nip', value: context.nip },
      euEntityDetails,
      ...shown,
    })
  }
  await expectRows(reading(api, 'eu', { permissionTypes: ['VatUeManage'] }), expected)
})

test(...named('subordinate roles'), async ({ api, login, own, rng }) => {
  const subunits = [1, 2].map((place) => ({
    subjectNip: drawNip(rng),
    description: `member number ${place}`,
  }))
  const body = { subjectNip: own.nip, subjectType: 'JST', description: 'the head', subunits }
  expectOk(await api.call('testdata.createSubject', { body }), 'create a local government')
  const head = await login()
  await expectRows(
    reading(head.api, 'subordinateRoles'),
    subunits.map(({ subjectNip, description }) => ({
      description,
      subordinateEntityIdentifier: { type: 'Nip', value: subjectNip },
      role: 'LocalGovernmentSubUnit',
    })),
  )
  const roles = { operation: 'permissions.queryRoles', field: 'roles' } as const
  const read = async () =>
    (await pagesByNumber(head.api, roles.operation, roles.field, { pageSize: 10 })).flat()
  await expectRows({ ...roles, read }, [{ description: 'the head', role: 'LocalGovernmentUnit' }])
})
