import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { expectOk } from '../../../lib/outcome.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  granted,
  grantPerson,
  indirectGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import { expectPages, many } from '../../support/steps/page-sizes.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { withoutRates } from '../../support/service/target.ts'
import { test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Every list of permissions, in pages. */

const byId = ({ id }: Row): string => String(id)

const named = (id: 'permissions.query.paged', list: string) =>
  familyRule(id, 'list of permissions', list)

test(...named('permissions.query.paged', 'persons'), async ({ login, own, rng, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const kinds = [
    'CredentialsManage',
    'CredentialsRead',
    'InvoiceWrite',
    'InvoiceRead',
    'Introspection',
    'SubunitManage',
  ]
  const people = Array.from({ length: 4 }, () => personAt(own, rng, target).subject)
  for (const subject of people) await grantPerson(api, subject, kinds)
  await expectPages({
    api,
    operation: 'permissions.queryPersons',
    field: 'permissions',
    body: granted,
    identity: byId,
    rows: 24,
    narrowed: { body: { ...granted, authorizedIdentifier: people[0] }, rows: kinds.length },
  })
})

test(...named('permissions.query.paged', 'subunits'), async ({ login, own, rng, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const units = Array.from({ length: many }, () => drawUnit(rng, own.nip))
  for (const unit of units) {
    const subject = { type: 'Pesel', value: drawPesel(rng) }
    await grantBy(api, 'permissions.grantSubunit', unitGrant(subject, unit, 'a branch'))
  }
  await expectPages({
    api,
    operation: 'permissions.querySubunits',
    field: 'permissions',
    body: {},
    identity: byId,
    rows: many,
    narrowed: { body: { subunitIdentifier: units[0] }, rows: 1 },
  })
})

test(...named('permissions.query.paged', 'authorizations'), async ({ login, own, rng, target }) => {
  await withoutRates(target)
  const { api } = await login()
  const people = Array.from({ length: 8 }, () => personAt(own, rng, target).subject)
  for (const subject of people)
    for (const kind of ['SelfInvoicing', 'TaxRepresentative', 'RRInvoicing'])
      await grantBy(api, 'permissions.grantAuthorization', authorizationGrant(subject, kind))
  await expectPages({
    api,
    operation: 'permissions.queryAuthorizations',
    field: 'authorizationGrants',
    body: { queryType: 'Granted' },
    identity: byId,
    rows: 24,
    narrowed: { body: { queryType: 'Granted', authorizedIdentifier: people[0] }, rows: 3 },
  })
})

test(...named('permissions.query.paged', 'EU entities'), async ({ login, rng, target }) => {
  await withoutRates(target)
  const { api, context } = await login()
  const prints = Array.from({ length: 6 }, () => `A${rng.digits(63)}`)
  for (const print of prints) {
    const grant = euAdministrationGrant(print, `${context.nip}-DE${rng.digits(9)}`)
    await grantBy(api, 'permissions.grantEuAdministration', grant)
  }
  await expectPages({
    api,
    operation: 'permissions.queryEu',
    field: 'permissions',
    body: {},
    identity: byId,
    rows: 24,
    narrowed: { body: { authorizedFingerprintIdentifier: prints[0] }, rows: 4 },
  })
})

test(...named('permissions.query.paged', 'entities'), async ({ login, another, target }) => {
  await withoutRates(target)
  const office = await login()
  const both = [{ type: 'InvoiceRead' }, { type: 'InvoiceWrite' }]
  const clients: string[] = []
  for (let made = 0; made < 11; made += 1) {
    const { api, context } = await login({ context: await another() })
    clients.push(context.nip)
    await grantBy(api, 'permissions.grantEntity', entityGrant(office.context.nip, both))
  }
  await expectPages({
    api: office.api,
    operation: 'permissions.queryEntities',
    field: 'permissions',
    body: {},
    identity: byId,
    rows: 22,
    narrowed: { body: { contextIdentifier: byNip(clients[0] ?? '') }, rows: 2 },
  })
})

test(
  ...named('permissions.query.paged', 'personal'),
  async ({ login, own, another, rng, target }) => {
    await withoutRates(target)
    const owner = await login()
    const person = personAt(own, rng, target)
    const both = ['InvoiceRead', 'InvoiceWrite']
    const passOn = both.map((type) => ({ type, canDelegate: true }))
    const clients: string[] = []
    for (let made = 0; made < 11; made += 1) {
      const { api, context } = await login({ context: await another() })
      clients.push(context.nip)
      await grantBy(api, 'permissions.grantEntity', entityGrant(own.nip, passOn))
      const client = byNip(context.nip)
      const grant = indirectGrant(person.subject, both, client)
      await grantBy(owner.api, 'permissions.grantIndirect', grant)
    }
    await grantPerson(owner.api, person.subject, ['Introspection'])
    const { api } = await login({ context: person.context })
    await expectPages({
      api,
      operation: 'permissions.queryPersonal',
      field: 'permissions',
      body: {},
      identity: byId,
      rows: 23,
      narrowed: { body: { contextIdentifier: byNip(clients[0] ?? '') }, rows: 2 },
    })
  },
)

test(...named('permissions.query.paged', 'subordinate roles'), async ({ api, login, own, rng }) => {
  const description = 'a group of a check'
  const subunits = Array.from({ length: many }, () => ({ subjectNip: drawNip(rng), description }))
  const body = { subjectNip: own.nip, subjectType: 'VatGroup', description, subunits }
  expectOk(await api.call('testdata.createSubject', { body }), 'create a VAT group')
  const head = await login()
  await expectPages({
    api: head.api,
    operation: 'permissions.querySubordinateRoles',
    field: 'roles',
    body: {},
    identity: ({ subordinateEntityIdentifier }) =>
      String((subordinateEntityIdentifier as Row)['value']),
    rows: many,
    expected: subunits.map(({ subjectNip }) => subjectNip),
    narrowed: {
      body: { subordinateEntityIdentifier: byNip(subunits[0]?.subjectNip ?? '') },
      rows: 1,
    },
  })
})

test(...named('permissions.query.paged', 'roles'), async ({ api, login, own, rng }) => {
  const description = 'a group of a check'
  const subunits = [{ subjectNip: own.nip, description }]
  const heads = Array.from({ length: many }, () => drawNip(rng))
  for (const subjectNip of heads) {
    const body = { subjectNip, subjectType: 'VatGroup', description, subunits }
    expectOk(await api.call('testdata.createSubject', { body }), 'create a VAT group')
  }
  const member = await login()
  await expectPages({
    api: member.api,
    operation: 'permissions.queryRoles',
    field: 'roles',
    identity: ({ parentEntityIdentifier }) => String((parentEntityIdentifier as Row)['value']),
    rows: many,
    expected: heads,
  })
})
