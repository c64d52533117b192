import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk } from '../../../lib/outcome.ts'
import { euAdministrator, headOfUnit } from '../../support/callers/administrators.ts'
import {
  byCertificate,
  byIdentifier,
  entities,
  entitiesByCertificate,
} from '../../support/callers/grant-details.ts'
import { granting } from '../../support/callers/granting.ts'
import {
  byNip,
  entityGrant,
  euGrant,
  grantBy,
  granted,
  indirectGrant,
  personGrant,
} from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import type { ExpectedRow } from '../../support/callers/permission-lists.ts'
import { expectRows, reading } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Every field of every row that a holder finds of its own permissions, after grants that differ in each of them. */

const named = (holder: string) =>
  familyRule('permissions.query.described', 'row of own permissions', holder)

test(...named('person with a certificate'), async ({ login, own, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const person = personAt(own, rng, target, 'Fingerprint')
  const scopes = ['InvoiceRead', 'InvoiceWrite', 'Introspection', 'CredentialsRead']
  const expected: ExpectedRow[] = []
  for (const [place, details] of byCertificate(rng).entries()) {
    const permissionScope = scopes[place] ?? 'SubunitManage'
    const shown = {
      permissionScope,
      permissionState: 'Active',
      canDelegate: false,
      contextIdentifier: byNip(own.nip),
    }
    const body = personGrant(person.subject, [permissionScope])
    expected.push(await grant(owner, 'permissions.grantPerson', body, { details, shown }))
  }
  const me = await login({ context: person.context })
  const personal = reading(me.api, 'personal')
  await expectRows(personal, expected)
  const ids = async ({ read }: typeof personal) =>
    (await read()).map(({ id, description }) => `${String(description)}: ${String(id)}`).toSorted()
  const persons = reading(owner.api, 'persons', granted)
  expect(await ids(personal), 'ids for the holder').toEqual(await ids(persons))
})

test(...named('person of an intermediary'), async ({ login, own, another, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const targets: { readonly type: string; readonly value?: string }[] = []
  for (let made = 0; made < 2; made += 1) {
    const { api, context } = await login({ context: await another() })
    const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
    await grantBy(api, 'permissions.grantEntity', passOn)
    targets.push(byNip(context.nip))
  }
  targets.push({ type: 'AllPartners' })
  const person = personAt(own, rng, target)
  const common = { canDelegate: false, contextIdentifier: byNip(own.nip) }
  const expected: ExpectedRow[] = []
  for (const [place, targetIdentifier] of targets.entries()) {
    const permissionScope = place === 1 ? 'InvoiceWrite' : 'InvoiceRead'
    const permissionState = place === 1 ? 'Inactive' : 'Active'
    const body = indirectGrant(person.subject, [permissionScope], targetIdentifier)
    const shown = { ...common, permissionScope, permissionState, targetIdentifier }
    const details = byIdentifier('Anna', `Nowak ${targetIdentifier.type}`)
    expected.push(await grant(owner, 'permissions.grantIndirect', body, { details, shown }))
  }
  const shown = { ...common, permissionScope: 'Introspection', permissionState: 'Active' }
  const body = personGrant(person.subject, ['Introspection'])
  const details = byIdentifier('Jan', 'Kos')
  expected.push(await grant(owner, 'permissions.grantPerson', body, { details, shown }))
  const me = await login({ context: person.context })
  await expectRows(reading(me.api, 'personal'), expected)
})

test(...named('person in a unit'), async ({ login, another, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const office = await login({ context: await another() })
  const head = await headOfUnit({ me: owner, login, rng, target })
  const { type, value } = head.context
  const unit = { type, value }
  const passOn = entityGrant(office.context.nip, [{ type: 'InvoiceRead', canDelegate: true }])
  await grantBy(head.api, 'permissions.grantEntity', passOn)
  const person = personAt(unit, rng, target)
  const passedOn = indirectGrant(person.subject, ['InvoiceRead'], unit)
  const expected = [
    await grant(head, 'permissions.grantPerson', personGrant(person.subject, ['Introspection']), {
      shown: { contextIdentifier: unit, permissionScope: 'Introspection' },
    }),
    await grant(office, 'permissions.grantIndirect', passedOn, {
      shown: {
        contextIdentifier: byNip(office.context.nip),
        targetIdentifier: unit,
        permissionScope: 'InvoiceRead',
      },
    }),
  ]
  const me = await login({ context: person.context })
  await expectRows(reading(me.api, 'personal'), expected)
})

test(...named('person with two identifiers'), async ({ api, login, own, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const link = async (linked: string, pesel: string) => {
    const body = { nip: linked, pesel, isBailiff: false, description: 'a person of a check' }
    expectOk(await api.call('testdata.createPerson', { body }), 'create a person')
    return { nip: byNip(linked), pesel: { type: 'Pesel', value: pesel } }
  }
  const known = personAt(own, rng, target, 'Pesel')
  const first = await link(drawNip(rng), known.subject.value)
  const second = await link(drawNip(rng), known.subject.value)
  const trader = personAt(own, rng, target)
  const { pesel } = await link(trader.subject.value, drawPesel(rng))
  for (const [person, holders] of [
    [known, [first.nip, second.nip]],
    [trader, [pesel]],
  ] as const) {
    const permissionScope = 'Introspection'
    const expected: ExpectedRow[] = []
    for (const holder of holders) {
      const shown = { permissionScope, authorizedIdentifier: holder }
      const body = personGrant(holder, [permissionScope])
      expected.push(await grant(owner, 'permissions.grantPerson', body, { shown }))
    }
    const me = await login({ context: person.context })
    await expectRows(reading(me.api, 'personal'), expected)
  }
})

test(...named('representative of an EU entity'), async ({ login, rng, target, clock }) => {
  const grant = granting(clock, target)
  const administrator = await euAdministrator({ me: await login(), login, rng, target })
  const { type, value } = administrator.context
  const representative = personAt({ type, value }, rng, target, 'Fingerprint')
  const expected: ExpectedRow[] = []
  for (const [place, details] of entitiesByCertificate.entries()) {
    const permissionScope = place === 0 ? 'InvoiceRead' : 'InvoiceWrite'
    const body = euGrant(representative.subject.value, [permissionScope])
    const shown = { permissionScope, permissionState: 'Active', canDelegate: false }
    expected.push(await grant(administrator, 'permissions.grantEu', body, { details, shown }))
  }
  const me = await login({ context: representative.context })
  await expectRows(reading(me.api, 'personal'), expected)
})

test(...named('entity'), async ({ login, another, target, clock }) => {
  const grant = granting(clock, target)
  const office = await login()
  const expected: ExpectedRow[] = []
  for (const [place, details] of entities.entries()) {
    const client = await login({ context: await another() })
    const permissionScope = place === 0 ? 'InvoiceRead' : 'InvoiceWrite'
    const canDelegate = place === 0
    const body = entityGrant(office.context.nip, [{ type: permissionScope, canDelegate }])
    const contextIdentifier = byNip(client.context.nip)
    const shown = { permissionScope, permissionState: 'Active', canDelegate, contextIdentifier }
    expected.push(await grant(client, 'permissions.grantEntity', body, { details, shown }))
  }
  await expectRows(reading(office.api, 'personal'), expected)
})
