import { drawNip } from '../../lib/identifiers/nip.ts'
import { entityGrant, grantBy, grantInTest, grantPerson, indirectGrant } from '../support/grants.ts'
import { personAt } from '../support/people.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'
import type { Narrowed } from './listed.ts'
import { shortList } from './listed.ts'

/** Each filter of the lists about persons: what fits it is left, what does not is gone. Contexts and persons are the check's own. */

test(
  ...rule('permissions.query.narrowed', 'persons'),
  async ({ api, login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = { type: 'Nip', value: client.context.nip }
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
      [{ authorizedIdentifier: { type: 'Nip', value: drawNip(rng) } }, []],
      [{ authorIdentifier: { type: 'System' } }, [introspection]],
      [{ authorIdentifier: { type: 'Nip', value: own.nip } }, [read, write, credentials, one, all]],
      [{ authorIdentifier: { type: 'Nip', value: drawNip(rng) } }, []],
      [{ contextIdentifier: { type: 'Nip', value: own.nip } }, every],
      [{ contextIdentifier: { type: 'Nip', value: drawNip(rng) } }, []],
      [{ targetIdentifier: firm }, [one]],
      [{ targetIdentifier: { type: 'AllPartners' } }, [all]],
      [{ targetIdentifier: { type: 'Nip', value: drawNip(rng) } }, []],
      [{ authorizedIdentifier: direct, permissionTypes: ['InvoiceRead'] }, [read]],
    ]
    for (const [filter, left] of narrowed) {
      const body = { queryType: 'PermissionsGrantedInCurrentContext', ...filter }
      expect(await shortList(owner.api, 'persons', body), JSON.stringify(filter)).toEqual(
        left.toSorted(),
      )
    }
  },
)

test(
  ...rule('permissions.query.narrowed', 'personal'),
  async ({ login, own, another, rng, target }) => {
    const owner = await login()
    const client = await login({ context: await another() })
    const firm = { type: 'Nip', value: client.context.nip }
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
    const [introspection, credentials, read, write] = [
      'Introspection',
      'CredentialsRead',
      'InvoiceRead',
      'InvoiceWrite',
    ].map((permission) => `${permission} ${subject.value}`)
    const every = [introspection, credentials, read, write] as string[]
    const narrowed: Narrowed = [
      [{}, every],
      [{ permissionTypes: ['CredentialsRead'] }, every.slice(1, 2)],
      [{ permissionTypes: ['InvoiceRead', 'InvoiceWrite'] }, every.slice(2)],
      [{ permissionTypes: ['SubunitManage'] }, []],
      [{ permissionState: 'Active' }, every],
      [{ permissionState: 'Inactive' }, []],
      [{ contextIdentifier: { type: 'Nip', value: own.nip } }, every],
      [{ contextIdentifier: { type: 'Nip', value: drawNip(rng) } }, []],
      [{ targetIdentifier: firm }, every.slice(2, 3)],
      [{ targetIdentifier: { type: 'AllPartners' } }, every.slice(3)],
      [{ targetIdentifier: { type: 'Nip', value: drawNip(rng) } }, []],
    ]
    for (const [filter, left] of narrowed)
      expect(await shortList(me.api, 'personal', filter), JSON.stringify(filter)).toEqual(
        left.toSorted(),
      )
  },
)

for (const [what, operation, body] of [
  ['no kind of query', 'permissions.queryPersons', {}],
  ['an unknown kind of query', 'permissions.queryPersons', { queryType: 'Everything' }],
  ['an unknown state', 'permissions.queryPersonal', { permissionState: 'Asleep' }],
  ['an unknown permission', 'permissions.queryPersonal', { permissionTypes: ['Everything'] }],
  ['neither given nor received', 'permissions.queryAuthorizations', {}],
  [
    'an author of an unknown kind',
    'permissions.queryPersons',
    {
      queryType: 'PermissionsInCurrentContext',
      authorIdentifier: { type: 'Name', value: 'Anna Nowak' },
    },
  ],
] as const) {
  test(...rule('permissions.query.narrowed', `refused, ${what}`), async ({ login }) => {
    const { api } = await login()
    expect(await api.call(operation, { body })).toBeRefused('invalid-input')
  })
}
