import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { headOfUnit } from '../../support/callers/administrators.ts'
import { byCertificate, entitiesByCertificate } from '../../support/callers/grant-details.ts'
import { granting, inTurn } from '../../support/callers/granting.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  euGrant,
  grantBy,
  granted,
  outcomeOfOperation,
  personGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import type { ExpectedRow } from '../../support/callers/permission-lists.ts'
import {
  expectRevocable,
  expectRows,
  listOf,
  reading,
  valueOf,
} from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Every field of every row of the lists of permissions of entities, after grants that differ in each of them. */

const named = (list: string) =>
  familyRule('permissions.query.described', 'row of permissions of entities', list)

test(...named('entities'), async ({ login, another, rng, target, clock }) => {
  const grant = granting(clock, target)
  const office = await login()
  const firms = [
    await login({ context: await another() }),
    await login({ context: await another() }),
  ]
  const [firm] = firms
  if (firm === undefined) return
  const unit = await headOfUnit({ me: firm, login, rng, target })
  const expected: ExpectedRow[] = []
  for (const [place, by] of [...firms, unit].entries()) {
    const { type, value } = by.context
    const permissionScope = place === 1 ? 'InvoiceWrite' : 'InvoiceRead'
    const canDelegate = place !== 1
    const body = entityGrant(office.context.nip, [{ type: permissionScope, canDelegate }])
    const shown = { permissionScope, canDelegate, contextIdentifier: { type, value } }
    expected.push(await grant(by, 'permissions.grantEntity', body, { shown }))
  }
  const listed = reading(office.api, 'entities')
  await expectRows(listed, expected)
  const isOfFirm = ({ contextIdentifier }: Row): boolean =>
    valueOf(contextIdentifier) === firm.context.value
  const read = async () => (await listed.read()).filter(isOfFirm)
  await expectRevocable({ ...listed, read }, firm.api)
})

test(...named('authorizations'), async ({ login, own, another, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const deputy = personAt(own, rng, target, 'Pesel')
  const rights = personGrant(deputy.subject, ['CredentialsManage'])
  await grantBy(owner.api, 'permissions.grantPerson', rights)
  const manager = await login({ context: deputy.context })
  const [agent, other] = [await login({ context: await another() }), await another()]
  const neighbour = await login({ context: await another() })
  const holder = byNip(agent.context.nip)
  const expected: (ExpectedRow | undefined)[] = []
  for (const [place, [by, authorIdentifier, subject, kind]] of (
    [
      [owner, byNip(own.nip), holder, 'TaxRepresentative'],
      [manager, deputy.subject, byNip(other.nip), 'RRInvoicing'],
      [owner, byNip(own.nip), { type: 'PeppolId', value: 'PPL123456' }, 'PefInvoicing'],
      [neighbour, byNip(neighbour.context.nip), holder, 'SelfInvoicing'],
    ] as const
  ).entries()) {
    const fullName = `Agent number ${place}`
    const subjectEntityDetails = { subjectDetailsType: 'EntityByIdentifier', fullName }
    const details = { given: { fullName }, shown: { subjectEntityDetails } }
    const shown = {
      authorizationScope: kind,
      authorIdentifier,
      authorizedEntityIdentifier: subject,
      authorizingEntityIdentifier: byNip(by.context.nip),
    }
    const body = authorizationGrant(subject, kind)
    expected.push(await grant(by, 'permissions.grantAuthorization', body, { details, shown }))
  }
  const [first, second, third, last] = expected
  const rows = (...given: typeof expected) => given.filter((one) => one !== undefined)
  const listed = reading(owner.api, 'authorizations', { queryType: 'Granted' })
  await expectRows(listed, rows(first, second, third))
  const received = reading(agent.api, 'authorizations', { queryType: 'Received' })
  await expectRows(received, rows(first, last))
  await expectRevocable(listed, owner.api, (permissionId) =>
    owner.api.call('permissions.revokeAuthorization', { path: { permissionId } }),
  )
})

const euPermissions = ['VatUeManage', 'InvoiceWrite', 'InvoiceRead', 'Introspection']

/** Adds the permission to the description: one grant of EU administration results in several rows. */
const asEntityRow = (row: ExpectedRow): ExpectedRow => ({
  ...row,
  description: `${String(row['permissionScope'])} ${String(row['description'])}`,
})

test(...named('eu'), async ({ login, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const { nip: own } = owner.context
  const deputy = personAt(owner.context, rng, target, 'Pesel')
  const rights = personGrant(deputy.subject, ['CredentialsManage'])
  await grantBy(owner.api, 'permissions.grantPerson', rights)
  const manager = await login({ context: deputy.context })
  const expected: ExpectedRow[] = []
  for (const [place, details] of [...byCertificate(rng), ...entitiesByCertificate].entries()) {
    const by = place === 1 ? manager : owner
    const [vat, print] = [`DE${rng.digits(9)}`, `A${rng.digits(63)}`]
    const euEntityName = `Beispiel ${place} GmbH`
    const euEntityDetails = { fullName: `Muster ${place} GmbH`, address: `Berlin ${place}` }
    const body = { ...euAdministrationGrant(print, `${own}-${vat}`, euEntityName), euEntityDetails }
    const shown = {
      vatUeIdentifier: vat,
      euEntityName,
      euEntityDetails,
      authorizedFingerprintIdentifier: print,
      authorIdentifier: by === manager ? deputy.subject : byNip(own),
    }
    const row = await grant(by, 'permissions.grantEuAdministration', body, { details, shown })
    expected.push(
      ...euPermissions.map((permissionScope) => asEntityRow({ ...row, permissionScope })),
    )
  }
  const listed = reading(owner.api, 'eu')
  const rows = { ...listed, read: async () => (await listed.read()).map(asEntityRow) }
  await expectRows(rows, expected)
  await expectRevocable(rows, owner.api)
})

test(...named('eu, of one entity'), async ({ login, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const { nip: own } = owner.context
  const entity = { type: 'NipVatUe', value: `${own}-DE${rng.digits(9)}` } as const
  const head = personAt(entity, rng, target, 'Fingerprint')
  const euEntityDetails = { fullName: 'Przykład AG', address: 'Wien 7' }
  const euEntityName = 'Przykład'
  const about = { vatUeIdentifier: entity.value.slice(11), euEntityName, euEntityDetails }
  const given = {
    ...euAdministrationGrant(head.subject.value, entity.value, euEntityName),
    euEntityDetails,
  }
  const row = await grant(owner, 'permissions.grantEuAdministration', given, {
    shown: {
      ...about,
      authorizedFingerprintIdentifier: head.subject.value,
      authorIdentifier: byNip(own),
    },
  })
  const expected = euPermissions.map((permissionScope) => asEntityRow({ ...row, permissionScope }))
  const administrator = await login({ context: head.context })
  for (const [place, details] of entitiesByCertificate.entries()) {
    const print = `B${rng.digits(63)}`
    const permissionScope = place === 0 ? 'InvoiceRead' : 'InvoiceWrite'
    const body = euGrant(print, [permissionScope])
    const shown = {
      ...about,
      permissionScope,
      authorizedFingerprintIdentifier: print,
      authorIdentifier: head.subject,
    }
    expected.push(
      asEntityRow(await grant(administrator, 'permissions.grantEu', body, { details, shown })),
    )
  }
  const listed = reading(administrator.api, 'eu')
  await expectRows(
    { ...listed, read: async () => (await listed.read()).map(asEntityRow) },
    expected,
  )
})

for (const [subjectType, unitRole, headRole] of [
  ['JST', 'LocalGovernmentSubUnit', 'LocalGovernmentUnit'],
  ['VatGroup', 'VatGroupSubUnit', 'VatGroupUnit'],
] as const)
  test(...named(`roles of a ${subjectType}`), async ({ api, login, own, rng, target, clock }) => {
    const subunits = [1, 2].map((place) => ({
      subjectNip: drawNip(rng),
      description: `member number ${place}`,
    }))
    const body = { subjectNip: own.nip, subjectType, description: 'the head', subunits }
    const began = await inTurn(
      clock,
      target,
    )(async () => {
      expectOk(await api.call('testdata.createSubject', { body }), `create a ${subjectType}`)
    })
    const head = await login()
    await expectRows(
      reading(head.api, 'subordinateRoles'),
      subunits.map(({ subjectNip, description }) => ({
        description,
        subordinateEntityIdentifier: byNip(subjectNip),
        role: unitRole,
        began,
      })),
    )
    await expectRows(reading(head.api, 'roles'), [
      { description: 'the head', role: headRole, began },
    ])
  })

test(...named('roles of a member'), async ({ api, login, own, another, target, clock }) => {
  const next = inTurn(clock, target)
  const subunits = [{ subjectNip: own.nip, description: 'the member of a check' }]
  const expected: ExpectedRow[] = []
  for (const [subjectType, role] of [
    ['VatGroup', 'VatGroupSubUnit'],
    ['JST', 'LocalGovernmentSubUnit'],
  ] as const) {
    const head = await another()
    const body = { subjectNip: head.nip, subjectType, description: `a ${subjectType}`, subunits }
    const began = await next(async () => {
      expectOk(await api.call('testdata.createSubject', { body }), `create a ${subjectType}`)
    })
    const parentEntityIdentifier = byNip(head.nip)
    expected.push({ description: `a ${subjectType}`, role, parentEntityIdentifier, began })
  }
  await expectRows(reading((await login()).api, 'roles'), expected)
})

test(
  ...familyRule('permissions.grant.listed', 'row of permissions of entities', 'the same twice'),
  async ({ login, own, another, rng }) => {
    const [{ api }, office] = [await login(), await login({ context: await another() })]
    const holder = byNip(drawNip(rng))
    const unit = drawUnit(rng, own.nip)
    const entity = `${own.nip}-DE${rng.digits(9)}`
    const reads = [{ type: 'InvoiceRead' }]
    for (const [by, list, query, operation, body, rows] of [
      [api, 'persons', granted, 'grantPerson', personGrant(holder, ['InvoiceRead']), 1],
      [api, 'subunits', {}, 'grantSubunit', unitGrant(holder, unit, 'a branch'), 1],
      [office.api, 'entities', {}, 'grantEntity', entityGrant(office.context.nip, reads), 1],
      [
        api,
        'authorizations',
        { queryType: 'Granted' },
        'grantAuthorization',
        authorizationGrant(holder, 'SelfInvoicing'),
        1,
      ],
      [
        api,
        'eu',
        {},
        'grantEuAdministration',
        euAdministrationGrant(`A${rng.digits(63)}`, entity),
        euPermissions.length,
      ],
    ] as const) {
      // The second grant may be refused, at once or as an operation; it adds nothing either way.
      for (let time = 0; time < 2; time += 1)
        await outcomeOfOperation(api, await api.call(`permissions.${operation}`, { body }))
      expect((await listOf(by, list, query)).length, `rows of ${list}`).toBe(rows)
    }
  },
)
