import { headOfUnit } from '../../support/callers/administrators.ts'
import { drawNip, nipLike } from '../../../lib/identifiers/nip.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  grantInTest,
  grantPerson,
  indirectGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'
import { expectNarrowed, listOf } from '../../support/callers/permission-lists.ts'
import type { Narrowed } from '../../support/callers/permission-lists.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Every filter of the lists about units, entities and authorizations. */

test(...rule('permissions.query.narrowed', 'subunits'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  const [one, two, none] = ['one', 'two', 'none'].map(() => drawUnit(rng, own.nip))
  if (!one || !two) return
  const [first, second] = [personAt(own, rng, target), personAt(own, rng, target)]
  for (const [unit, { subject }] of [
    [one, first],
    [two, second],
  ] as const)
    await grantBy(api, 'permissions.grantSubunit', unitGrant(subject, unit, 'a branch'))
  const heads = [first, second].map(({ subject }) => `CredentialsManage ${subject.value}`)
  const narrowed: Narrowed = [
    [{}, heads],
    [{ subunitIdentifier: one }, heads.slice(0, 1)],
    [{ subunitIdentifier: two }, heads.slice(1)],
    [{ subunitIdentifier: none }, []],
  ]
  await expectNarrowed(api, 'subunits', narrowed)
})

test(...rule('permissions.query.narrowed', 'entities'), async ({ login, another, rng, target }) => {
  const [one, two] = [await login(), await login({ context: await another() })]
  const office = await login({ context: await another() })
  const { nip } = office.context
  await grantBy(one.api, 'permissions.grantEntity', entityGrant(nip, [{ type: 'InvoiceRead' }]))
  await grantBy(two.api, 'permissions.grantEntity', entityGrant(nip, [{ type: 'InvoiceWrite' }]))
  const unit = await headOfUnit({ me: one, login, rng, target })
  const { type, value } = unit.context
  const write = entityGrant(nip, [{ type: 'InvoiceWrite' }])
  await grantBy(unit.api, 'permissions.grantEntity', write)
  const narrowed: Narrowed = [
    [{}, ['InvoiceRead', 'InvoiceWrite', 'InvoiceWrite']],
    [{ contextIdentifier: { type, value } }, ['InvoiceWrite']],
    [{ contextIdentifier: byNip(one.context.nip) }, ['InvoiceRead']],
    [{ contextIdentifier: byNip(two.context.nip) }, ['InvoiceWrite']],
    [{ contextIdentifier: byNip(drawNip(rng)) }, []],
  ]
  await expectNarrowed(office.api, 'entities', narrowed)
})

test(...rule('permissions.query.narrowed', 'authorizations'), async ({ login, another, rng }) => {
  const [one, two] = [await login(), await login({ context: await another() })]
  const agent = await login({ context: await another() })
  const { nip } = agent.context
  const other = drawNip(rng)
  for (const [me, holder, permission] of [
    [one, nip, 'SelfInvoicing'],
    [one, nip, 'TaxRepresentative'],
    [one, other, 'SelfInvoicing'],
    [two, nip, 'RRInvoicing'],
  ] as const)
    await grantBy(
      me.api,
      'permissions.grantAuthorization',
      authorizationGrant(byNip(holder), permission),
    )
  const [self, tax, otherHolder, rr] = [
    `SelfInvoicing ${nip}`,
    `TaxRepresentative ${nip}`,
    `SelfInvoicing ${other}`,
    `RRInvoicing ${nip}`,
  ]
  const given: Narrowed = [
    [{}, [self, tax, otherHolder]],
    [{ permissionTypes: ['SelfInvoicing'] }, [self, otherHolder]],
    [{ permissionTypes: ['RRInvoicing'] }, []],
    [{ authorizedIdentifier: byNip(other) }, [otherHolder]],
    [{ authorizedIdentifier: byNip(drawNip(rng)) }, []],
    [{ authorizingIdentifier: byNip(one.context.nip) }, [self, tax, otherHolder]],
    [{ authorizingIdentifier: byNip(two.context.nip) }, []],
  ]
  const received: Narrowed = [
    [{}, [self, tax, rr]],
    [{ permissionTypes: ['RRInvoicing', 'SelfInvoicing'] }, [self, rr]],
    [{ authorizingIdentifier: byNip(two.context.nip) }, [rr]],
    [{ authorizingIdentifier: byNip(one.context.nip) }, [self, tax]],
    [{ authorizedIdentifier: byNip(nip) }, [self, tax, rr]],
    [{ authorizedIdentifier: byNip(other) }, []],
  ]
  for (const [me, queryType, rows] of [
    [one, 'Granted', given],
    [agent, 'Received', received],
  ] as const)
    await expectNarrowed(me.api, 'authorizations', rows, { queryType })
})

test(...rule('permissions.query.narrowed', 'eu'), async ({ login, rng }) => {
  const { api, context } = await login()
  const [german, french] = [`A${rng.digits(63)}`, `B${rng.digits(63)}`]
  for (const [fingerprint, vat] of [
    [german, 'DE123456789'],
    [french, 'FRXX123456789'],
  ] as const)
    await grantBy(
      api,
      'permissions.grantEuAdministration',
      euAdministrationGrant(fingerprint, `${context.nip}-${vat}`),
    )
  const all = (fingerprint: string) =>
    ['Introspection', 'InvoiceRead', 'InvoiceWrite', 'VatUeManage'].map(
      (permission) => `${permission} ${fingerprint}`,
    )
  const narrowed: Narrowed = [
    [{}, [...all(german), ...all(french)]],
    [{ vatUeIdentifier: 'DE123456789' }, all(german)],
    [{ vatUeIdentifier: 'FRXX123456789' }, all(french)],
    [{ vatUeIdentifier: 'DE12345678' }, []],
    [{ authorizedFingerprintIdentifier: german }, all(german)],
    [{ authorizedFingerprintIdentifier: french.slice(0, 40) }, all(french)],
    [{ authorizedFingerprintIdentifier: 'C'.repeat(64) }, []],
    [{ permissionTypes: ['VatUeManage'] }, [`VatUeManage ${german}`, `VatUeManage ${french}`]],
    [
      { permissionTypes: ['InvoiceRead'], vatUeIdentifier: 'DE123456789' },
      [`InvoiceRead ${german}`],
    ],
  ]
  await expectNarrowed(api, 'eu', narrowed)
})

test(
  ...rule('permissions.query.narrowed', 'subordinate roles'),
  async ({ api, login, own, rng }) => {
    const [one, two] = [drawNip(rng), drawNip(rng)]
    const description = 'made by a conformance check'
    const body = {
      subjectNip: own.nip,
      subjectType: 'JST',
      description,
      subunits: [one, two].map((subjectNip) => ({ subjectNip, description })),
    }
    expect(await api.call('testdata.createSubject', { body })).toBeOk()
    const me = await login()
    const firm = (value: string) => ({ subordinateEntityIdentifier: byNip(value) })
    const role = (nip: string) => `LocalGovernmentSubUnit ${nip}`
    const narrowed: Narrowed = [
      [{}, [role(one), role(two)]],
      [firm(one), [role(one)]],
      [firm(two), [role(two)]],
      [firm(drawNip(rng)), []],
      [firm(nipLike(one, rng)), []],
    ]
    await expectNarrowed(me.api, 'subordinateRoles', narrowed)
    const [only] = await listOf(me.api, 'subordinateRoles', firm(one))
    expect(only?.['description'], 'the description of the unit').toBe(description)
  },
)

/** Every filter of the lists about persons. */

test(
  ...rule('permissions.query.narrowed', 'persons'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = byNip(client.context.nip)
    const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
    await grantBy(client.api, 'permissions.grantEntity', passOn)
    const kinds = ['Nip', 'Pesel', 'Nip', 'Nip', 'Pesel'] as const
    const [direct, pesel, system, forOne, forAll] = kinds.map(
      (kind) => personAt(own, rng, target, kind).subject,
    )
    if (!direct || !pesel || !system || !forOne || !forAll) return
    await grantPerson(owner.api, direct, ['InvoiceRead', 'InvoiceWrite'])
    await grantPerson(owner.api, pesel, ['CredentialsRead'])
    await grantInTest(api, own, system, ['Introspection'])
    const toOne = indirectGrant(forOne, ['InvoiceRead'], firm)
    await grantBy(owner.api, 'permissions.grantIndirect', toOne)
    const toAll = indirectGrant(forAll, ['InvoiceRead'], { type: 'AllPartners' })
    await grantBy(owner.api, 'permissions.grantIndirect', toAll)
    const [read, write, credentials, introspection, one, all] = [
      `InvoiceRead ${direct.value}`,
      `InvoiceWrite ${direct.value}`,
      `CredentialsRead ${pesel.value}`,
      `Introspection ${system.value}`,
      `InvoiceRead ${forOne.value}`,
      `InvoiceRead ${forAll.value}`,
    ]
    const every = [read, write, credentials, introspection, one, all]
    const narrowed: Narrowed = [
      [{}, every],
      [{ permissionTypes: ['InvoiceWrite'] }, [write]],
      [{ permissionTypes: ['InvoiceWrite', 'Introspection'] }, [write, introspection]],
      [{ permissionTypes: ['SubunitManage'] }, []],
      [{ permissionTypes: [] }, every],
      [{ permissionState: 'Active' }, every],
      [{ permissionState: 'Inactive' }, []],
      [{ authorizedIdentifier: direct }, [read, write]],
      [{ authorizedIdentifier: pesel }, [credentials]],
      [{ authorizedIdentifier: byNip(drawNip(rng)) }, []],
      [{ authorIdentifier: { type: 'System' } }, [introspection]],
      [{ authorIdentifier: byNip(own.nip) }, [read, write, credentials, one, all]],
      [{ authorIdentifier: byNip(drawNip(rng)) }, []],
      [{ contextIdentifier: byNip(own.nip) }, every],
      [{ contextIdentifier: byNip(drawNip(rng)) }, []],
      [{ targetIdentifier: firm }, [one]],
      [{ targetIdentifier: { type: 'AllPartners' } }, [all]],
      [{ targetIdentifier: byNip(own.nip) }, [read, write, credentials, introspection]],
      [{ targetIdentifier: byNip(drawNip(rng)) }, []],
      [{ authorizedIdentifier: direct, permissionTypes: ['InvoiceRead'] }, [read]],
    ]
    const queryType = 'PermissionsGrantedInCurrentContext'
    await expectNarrowed(owner.api, 'persons', narrowed, { queryType })
    // The head of a unit holds something in another context, whose identifier begins with this one.
    const unit = drawUnit(rng, own.nip)
    await grantBy(owner.api, 'permissions.grantSubunit', unitGrant(direct, unit, 'a branch'))
    const ofTheContext: Narrowed = [[{ contextIdentifier: byNip(own.nip) }, every]]
    await expectNarrowed(owner.api, 'persons', ofTheContext, { queryType })
  },
)

test(
  ...rule('permissions.query.narrowed', 'personal'),
  async ({ login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = byNip(client.context.nip)
    const passOn = entityGrant(own.nip, [
      { type: 'InvoiceRead', canDelegate: true },
      { type: 'InvoiceWrite', canDelegate: true },
    ])
    await grantBy(client.api, 'permissions.grantEntity', passOn)
    const person = personAt(own, rng, target)
    const { subject } = person
    await grantPerson(owner.api, subject, ['Introspection', 'CredentialsRead'])
    const toOne = indirectGrant(subject, ['InvoiceRead'], firm)
    await grantBy(owner.api, 'permissions.grantIndirect', toOne)
    const toAll = indirectGrant(subject, ['InvoiceWrite'], { type: 'AllPartners' })
    await grantBy(owner.api, 'permissions.grantIndirect', toAll)
    const me = await login({ context: person.context })
    const every = ['Introspection', 'CredentialsRead', 'InvoiceRead', 'InvoiceWrite']
    const narrowed: Narrowed = [
      [{}, every],
      [{ permissionTypes: ['CredentialsRead'] }, every.slice(1, 2)],
      [{ permissionTypes: ['InvoiceRead', 'InvoiceWrite'] }, every.slice(2)],
      [{ permissionTypes: ['SubunitManage'] }, []],
      [{ permissionState: 'Active' }, every],
      [{ permissionState: 'Inactive' }, []],
      [{ contextIdentifier: byNip(own.nip) }, every],
      [{ contextIdentifier: byNip(drawNip(rng)) }, []],
      [{ targetIdentifier: firm }, every.slice(2, 3)],
      [{ targetIdentifier: { type: 'AllPartners' } }, every.slice(3)],
      [{ targetIdentifier: byNip(own.nip) }, every.slice(0, 2)],
      [{ targetIdentifier: byNip(drawNip(rng)) }, []],
    ]
    await expectNarrowed(me.api, 'personal', narrowed)
  },
)

for (const [what, operation, body] of [
  ['missing query type', 'permissions.queryPersons', {}],
  ['unknown query type', 'permissions.queryPersons', { queryType: 'Everything' }],
  ['unknown state', 'permissions.queryPersonal', { permissionState: 'Asleep' }],
  ['unknown permission', 'permissions.queryPersonal', { permissionTypes: ['Everything'] }],
  ['missing direction', 'permissions.queryAuthorizations', {}],
  [
    'unknown author type',
    'permissions.queryPersons',
    {
      queryType: 'PermissionsInCurrentContext',
      authorIdentifier: { type: 'Name', value: 'Anna Nowak' },
    },
  ],
] as const) {
  test(...rule('permissions.query.narrowed', `invalid filter, ${what}`), async ({ login }) => {
    const { api } = await login()
    expect(await api.call(operation, { body })).toBeRefused('invalid-input')
  })
}
