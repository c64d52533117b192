import { Inconclusive } from '../../../lib/outcome.ts'
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
  outcomeOfOperation,
  revoke,
  unitGrant,
} from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'
import { listOf, shortList } from '../../support/callers/permission-lists.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Whose permissions each list contains. Every check creates its own contexts and persons. */

test(
  ...rule('permissions.query.scope', 'personal'),
  async ({ api, login, own, another, rng, target }) => {
    const other = await another()
    const [person, colleague] = [personAt(own, rng, target), personAt(own, rng, target)]
    await grantInTest(api, own, person.subject, ['InvoiceRead', 'Introspection'])
    await grantInTest(api, own, colleague.subject, ['InvoiceWrite'])
    await grantInTest(api, other, person.subject, ['CredentialsRead'])
    const me = await login({ context: person.context })
    expect(await shortList(me.api, 'personal'), 'permissions of the caller in the context').toEqual(
      ['Introspection', 'InvoiceRead'],
    )
    const they = await login({ context: colleague.context })
    expect(await shortList(they.api, 'personal'), 'permissions of another person').toEqual([
      'InvoiceWrite',
    ])
  },
)

test(
  ...rule('permissions.query.scope', 'persons, asked for in another context'),
  async ({ login, own, another, rng, target }) => {
    const me = await login()
    const other = await login({ context: await another() })
    const person = personAt(own, rng, target)
    for (const { api } of [me, other]) await grantPerson(api, person.subject, ['InvoiceRead'])
    const theirs = byNip(other.context.nip)
    for (const queryType of ['PermissionsInCurrentContext', granted.queryType]) {
      const list = (contextIdentifier: typeof theirs) =>
        shortList(me.api, 'persons', { queryType, contextIdentifier })
      expect(await list(byNip(own.nip)), `${queryType}, of the caller's own`).toEqual([
        `InvoiceRead ${person.subject.value}`,
      ])
      expect(await list(theirs), `${queryType}, of another taxpayer`).toEqual([])
    }
  },
)

test(
  ...rule('permissions.query.scope', 'persons, granted by another administrator'),
  async ({ login, own, rng, target }) => {
    const me = await login()
    const [manager, person] = [personAt(own, rng, target), personAt(own, rng, target)]
    await grantPerson(me.api, manager.subject, ['CredentialsManage'])
    const they = await login({ context: manager.context })
    await grantPerson(they.api, person.subject, ['InvoiceRead'])
    const all = [
      `CredentialsManage ${manager.subject.value}`,
      `InvoiceRead ${person.subject.value}`,
    ]
    for (const queryType of ['PermissionsInCurrentContext', granted.queryType])
      for (const [who, { api }] of Object.entries({ 'the owner': me, 'the other': they }))
        expect(
          (await shortList(api, 'persons', { queryType })).toSorted(),
          `${queryType}, as ${who} is answered`,
        ).toEqual(all.toSorted())
  },
)

test(
  ...rule('permissions.query.scope', 'personal, through others'),
  async ({ login, own, another, rng, target }) => {
    const office = await login()
    const client = await login({ context: await another() })
    const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
    await grantBy(client.api, 'permissions.grantEntity', passOn)
    expect(await shortList(office.api, 'personal'), 'what a client granted to the office').toEqual([
      'InvoiceRead',
    ])
    const person = personAt(client.context, rng, target)
    const firm = byNip(client.context.nip)
    const body = indirectGrant(person.subject, ['InvoiceRead'], firm)
    await grantBy(office.api, 'permissions.grantIndirect', body)
    const me = await login({ context: person.context })
    expect(await shortList(me.api, 'personal'), 'what the office passed on').toEqual([
      'InvoiceRead',
    ])
  },
)

test(
  ...rule('permissions.query.scope', 'persons'),
  async ({ login, own, another, rng, target }) => {
    const { api } = await login()
    const other = await login({ context: await another() })
    const { subject } = personAt(own, rng, target)
    await grantPerson(api, subject, ['InvoiceRead', 'InvoiceWrite'])
    await grantPerson(other.api, subject, ['Introspection'])
    for (const queryType of ['PermissionsGrantedInCurrentContext', 'PermissionsInCurrentContext']) {
      expect(await shortList(api, 'persons', { queryType }), `here, ${queryType}`).toEqual([
        `InvoiceRead ${subject.value}`,
        `InvoiceWrite ${subject.value}`,
      ])
      expect(await shortList(other.api, 'persons', { queryType }), `there, ${queryType}`).toEqual([
        `Introspection ${subject.value}`,
      ])
    }
  },
)

test(
  ...rule('permissions.query.scope', 'persons, by query type'),
  async ({ login, own, rng, target }) => {
    const owner = await login()
    const unit = drawUnit(rng, own.nip)
    const [head, clerk] = [personAt(unit, rng, target), personAt(unit, rng, target)]
    const body = unitGrant(head.subject, unit, 'a branch')
    await grantBy(owner.api, 'permissions.grantSubunit', body)
    const within = await login({ context: head.context })
    await grantPerson(within.api, clerk.subject, ['InvoiceRead'])
    const administration = `CredentialsManage ${head.subject.value}`
    const reading = `InvoiceRead ${clerk.subject.value}`
    for (const [me, queryType, expected] of [
      [owner, 'PermissionsInCurrentContext', []],
      [owner, 'PermissionsGrantedInCurrentContext', [administration]],
      [within, 'PermissionsInCurrentContext', [administration, reading]],
      [within, 'PermissionsGrantedInCurrentContext', [reading]],
    ] as const)
      expect(
        await shortList(me.api, 'persons', { queryType }),
        `${queryType} ${me === owner ? 'above the unit' : 'in the unit'}`,
      ).toEqual(expected)
  },
)

test(
  ...rule('permissions.query.scope', 'subunits'),
  async ({ login, own, another, limited, rng, target }) => {
    const { api } = await login()
    const other = await login({ context: await another() })
    const deputy = await limited(['SubunitManage'])
    const [mine, deputys, theirs] = [1, 2, 3].map(() => personAt(own, rng, target))
    if (!mine || !deputys || !theirs) return
    for (const [who, nip, { subject }] of [
      [api, own.nip, mine],
      [deputy.api, own.nip, deputys],
      [other.api, other.context.nip, theirs],
    ] as const) {
      const unit = drawUnit(rng, nip)
      await grantBy(who, 'permissions.grantSubunit', unitGrant(subject, unit, 'a branch'))
    }
    for (const who of [api, deputy.api])
      expect(await shortList(who, 'subunits'), 'administrators of units here').toEqual(
        [mine, deputys].map(({ subject }) => `CredentialsManage ${subject.value}`).toSorted(),
      )
    expect(await shortList(other.api, 'subunits'), 'administrators of units there').toEqual([
      `CredentialsManage ${theirs.subject.value}`,
    ])
  },
)

test(...rule('permissions.query.scope', 'entities'), async ({ login, another }) => {
  const { api, context } = await login()
  const [office, other] = [
    await login({ context: await another() }),
    await login({ context: await another() }),
  ]
  const read = [{ type: 'InvoiceRead' }]
  const grant = (nip: string) => entityGrant(nip, read)
  await grantBy(api, 'permissions.grantEntity', grant(office.context.nip))
  await grantBy(api, 'permissions.grantEntity', grant(other.context.nip))
  const shown = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.map(({ contextIdentifier }) => contextIdentifier)
  const from = [byNip(context.nip)]
  expect(
    shown(await listOf(office.api, 'entities')),
    'entities that granted permissions to the office',
  ).toMatchObject(from)
  expect(
    shown(await listOf(other.api, 'entities')),
    'entities that granted permissions to another entity',
  ).toMatchObject(from)
  expect(await listOf(api, 'entities'), 'permissions granted to the grantor').toEqual([])
})

test(
  ...rule('permissions.query.scope', 'authorizations, granted by a colleague'),
  async ({ login, another, limited }) => {
    const { api } = await login()
    const manager = await limited(['CredentialsManage'])
    const agents = [await another(), await another()].map(({ nip }) => byNip(nip))
    for (const [place, by] of [api, manager.api].entries()) {
      const body = authorizationGrant(agents[place]!, 'SelfInvoicing')
      await grantBy(by, 'permissions.grantAuthorization', body)
    }
    const all = agents.map(({ value }) => `SelfInvoicing ${value}`).toSorted()
    for (const by of [api, manager.api])
      expect(
        await shortList(by, 'authorizations', { queryType: 'Granted' }),
        'what the context granted',
      ).toEqual(all)
  },
)

test(...rule('permissions.query.scope', 'authorizations'), async ({ login, another }) => {
  const [one, two] = [await login(), await login({ context: await another() })]
  const agent = await login({ context: await another() })
  const { nip } = agent.context
  const subject = byNip(nip)
  for (const [me, permission] of [
    [one, 'SelfInvoicing'],
    [two, 'TaxRepresentative'],
  ] as const)
    await grantBy(me.api, 'permissions.grantAuthorization', authorizationGrant(subject, permission))
  const both = [`SelfInvoicing ${nip}`, `TaxRepresentative ${nip}`]
  for (const [me, queryType, expected] of [
    [one, 'Granted', both.slice(0, 1)],
    [two, 'Granted', both.slice(1)],
    [one, 'Received', []],
    [agent, 'Received', both],
    [agent, 'Granted', []],
  ] as const)
    expect(
      await shortList(me.api, 'authorizations', { queryType }),
      `${queryType} in ${me.context.nip}`,
    ).toEqual(expected)
})

const permissionsOfEntity = ['InvoiceRead', 'InvoiceWrite', 'Introspection', 'VatUeManage']

test(...rule('permissions.query.scope', 'eu'), async ({ login, another, rng }) => {
  const { api, context } = await login()
  const other = await login({ context: await another() })
  const [mine, theirs] = [rng.digits(64), rng.digits(64)]
  const body = (fingerprint: string, nip: string) =>
    euAdministrationGrant(fingerprint, `${nip}-DE123456789`)
  await grantBy(api, 'permissions.grantEuAdministration', body(mine, context.nip))
  await grantBy(other.api, 'permissions.grantEuAdministration', body(theirs, other.context.nip))
  const all = (fingerprint: string) =>
    permissionsOfEntity.map((one) => `${one} ${fingerprint}`).toSorted()
  expect(await shortList(api, 'eu'), 'EU entities of the caller').toEqual(all(mine))
  expect(await shortList(other.api, 'eu'), 'EU entities of another context').toEqual(all(theirs))
})

test(
  ...rule('permissions.query.scope', 'subordinate roles'),
  async ({ api, login, own, another }) => {
    const [unit, stranger] = [await another(), await login({ context: await another() })]
    const description = 'made by a conformance check'
    const body = {
      subjectNip: own.nip,
      subjectType: 'VatGroup',
      description,
      subunits: [{ subjectNip: unit.nip, description }],
    }
    expect(await api.call('testdata.createSubject', { body })).toBeOk()
    const head = await login()
    expect(await shortList(head.api, 'subordinateRoles'), 'members of the group').toEqual([
      `VatGroupSubUnit ${unit.nip}`,
    ])
    expect(
      await listOf(stranger.api, 'subordinateRoles'),
      'members of a context without a group',
    ).toEqual([])
    const removed = { body: { subjectNip: body.subjectNip } }
    expect(await api.call('testdata.removeSubject', removed)).toBeOk()
    expect(await listOf(head.api, 'subordinateRoles'), 'members of the removed group').toEqual([])
  },
)

test(...rule('permissions.query.scope', 'revoked'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const person = personAt(own, rng, target)
  await grantPerson(api, person.subject, ['InvoiceRead', 'Introspection'])
  const listed = await listOf(api, 'persons', granted)
  const found = listed.find(({ permissionScope }) => permissionScope === 'Introspection')
  if (found === undefined) throw new Inconclusive('find the permission', 'the one just granted')
  const outcome = await outcomeOfOperation(api, await revoke(api, String(found['id'])))
  expect(outcome).toHaveSucceeded('operation')
  expect(await shortList(api, 'persons', granted), 'permissions that the grantor sees').toEqual([
    `InvoiceRead ${person.subject.value}`,
  ])
  const me = await login({ context: person.context })
  expect(await shortList(me.api, 'personal'), 'permissions that the person sees').toEqual([
    'InvoiceRead',
  ])
})
