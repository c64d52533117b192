import { drawNip } from '../../../lib/identifiers/nip.ts'
import { expectOk } from '../../../lib/outcome.ts'
import {
  byCertificate,
  byIdentifier,
  entities,
  longest,
} from '../../support/callers/grant-details.ts'
import { granting } from '../../support/callers/granting.ts'
import {
  byNip,
  entityGrant,
  grantBy,
  granted,
  grantInTest,
  indirectGrant,
  personGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import type { Identifier } from '../../support/callers/grants.ts'
import { personAt } from '../../support/callers/people.ts'
import type { ExpectedRow } from '../../support/callers/permission-lists.ts'
import { expectRevocable, expectRows, reading } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { test } from '../../support/harness/test.ts'
import { drawUnit } from '../../support/run/units.ts'

/** Every field of every row of the lists of permissions of persons, after grants that differ in each of them. */

const named = (list: string) =>
  familyRule('permissions.query.described', 'row of permissions', list)

test(...named('persons'), async ({ api, login, own, another, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const deputy = personAt(own, rng, target, 'Pesel')
  const common = { permissionState: 'Active', canDelegate: false }
  const expected: ExpectedRow[] = []
  const add = async (
    by: typeof owner,
    author: Identifier,
    subject: Identifier,
    permissionScope: string,
    details = byIdentifier('Anna', 'Nowak'),
  ) => {
    const shown = {
      ...common,
      authorizedIdentifier: subject,
      authorIdentifier: author,
      permissionScope,
    }
    const body = personGrant(subject, [permissionScope])
    expected.push(await grant(by, 'permissions.grantPerson', body, { details, shown }))
  }
  await add(owner, byNip(own.nip), personAt(own, rng, target).subject, 'InvoiceRead')
  const longName = byIdentifier(longest('Jan', 30), longest('Kowalski', 81))
  await add(owner, byNip(own.nip), deputy.subject, 'CredentialsManage', longName)
  const manager = await login({ context: deputy.context })
  const scopes = ['Introspection', 'SubunitManage', 'CredentialsRead', 'InvoiceWrite']
  for (const [place, details] of byCertificate(rng).entries()) {
    const subject = { type: 'Fingerprint', value: `A${rng.digits(63)}` }
    await add(manager, deputy.subject, subject, scopes[place] ?? 'InvoiceRead', details)
  }
  for (const [place, details] of entities.entries()) {
    const canDelegate = place === 0
    const by = canDelegate ? manager : owner
    const authorIdentifier = canDelegate ? deputy.subject : byNip(own.nip)
    const office = await another()
    const body = entityGrant(office.nip, [{ type: 'InvoiceRead', canDelegate }])
    const authorizedIdentifier = byNip(office.nip)
    const shown = { ...common, canDelegate, authorizedIdentifier, authorIdentifier }
    expected.push(await grant(by, 'permissions.grantEntity', body, { details, shown }))
  }
  const tested = personAt(own, rng, target).subject
  await grantInTest(api, own, tested, ['CredentialsRead'], 'by test data')
  expected.push({
    ...common,
    description: 'by test data',
    authorizedIdentifier: tested,
    authorIdentifier: { type: 'System' },
    permissionScope: 'CredentialsRead',
  })
  await expectRows(reading(manager.api, 'persons', granted), expected)
  const listed = reading(owner.api, 'persons', granted)
  await expectRows(listed, expected)
  await expectRevocable(listed, owner.api)
})

test(...named('persons, further grants'), async ({ login, own, another, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const expected: ExpectedRow[] = []
  for (const [place, firstName] of ['Ewa', 'Jan'].entries()) {
    const unit = drawUnit(rng, own.nip)
    const { subject } = personAt(own, rng, target)
    const body = unitGrant(subject, unit, `branch number ${place}`)
    const shown = {
      contextIdentifier: unit,
      authorizedIdentifier: subject,
      permissionScope: 'CredentialsManage',
    }
    const details = byIdentifier(firstName, 'Kos')
    expected.push(await grant(owner, 'permissions.grantSubunit', body, { details, shown }))
  }
  const clients = [
    await login({ context: await another() }),
    await login({ context: await another() }),
  ]
  for (const client of clients) {
    const passOn = entityGrant(own.nip, [{ type: 'InvoiceRead', canDelegate: true }])
    await grantBy(client.api, 'permissions.grantEntity', passOn)
  }
  const deputy = personAt(own, rng, target, 'Pesel')
  const rights = personGrant(deputy.subject, ['CredentialsManage'])
  expected.push(await grant(owner, 'permissions.grantPerson', rights))
  const manager = await login({ context: deputy.context })
  const [one, other] = clients.map(({ context }) => byNip(context.nip))
  for (const [targetIdentifier, permissionScope, permissionState] of [
    [one, 'InvoiceRead', 'Active'],
    [{ type: 'AllPartners' }, 'InvoiceRead', 'Active'],
    [other, 'InvoiceWrite', 'Inactive'],
  ] as const) {
    if (targetIdentifier === undefined) continue
    const { subject } = personAt(own, rng, target, 'Pesel')
    const body = indirectGrant(subject, [permissionScope], targetIdentifier)
    const shown = {
      authorizedIdentifier: subject,
      authorIdentifier: targetIdentifier === one ? deputy.subject : byNip(own.nip),
      targetIdentifier,
      permissionScope,
      permissionState,
    }
    const by = targetIdentifier === one ? manager : owner
    const details = byIdentifier(permissionState, targetIdentifier.type)
    expected.push(await grant(by, 'permissions.grantIndirect', body, { details, shown }))
  }
  for (const { api } of [owner, manager])
    await expectRows(reading(api, 'persons', granted), expected)
})

test(...named('subunits'), async ({ api: open, login, own, rng, target, clock }) => {
  const grant = granting(clock, target)
  const owner = await login()
  const member = drawNip(rng)
  const subunits = [{ subjectNip: member, description: 'a member of a check' }]
  const group = { subjectNip: own.nip, subjectType: 'VatGroup', description: 'a group', subunits }
  expectOk(await open.call('testdata.createSubject', { body: group }), 'create a VAT group')
  const deputy = personAt(own, rng, target, 'Pesel')
  const rights = personGrant(deputy.subject, ['SubunitManage'])
  await grantBy(owner.api, 'permissions.grantPerson', rights)
  const authors = [
    { by: owner, author: byNip(own.nip) },
    { by: await login({ context: deputy.context }), author: deputy.subject },
  ]
  const persons = [
    { subject: personAt(own, rng, target).subject, details: byIdentifier('Anna', 'Nowak') },
    { subject: personAt(own, rng, target, 'Pesel').subject, details: byIdentifier('Jan', 'Kos') },
    ...byCertificate(rng).map((details) => ({
      subject: { type: 'Fingerprint', value: `A${rng.digits(63)}` },
      details,
    })),
  ]
  const expected: ExpectedRow[] = []
  for (const [place, { subject, details }] of persons.entries()) {
    const { by, author } = authors[place % 2] ?? { by: owner, author: byNip(own.nip) }
    const unit = place === 4 ? byNip(member) : drawUnit(rng, own.nip)
    const subunitName = `branch number ${place}`
    const shown = {
      subunitName,
      subunitIdentifier: unit,
      authorizedIdentifier: subject,
      authorIdentifier: author,
      permissionScope: 'CredentialsManage',
    }
    const body = unitGrant(subject, unit, subunitName)
    expected.push(await grant(by, 'permissions.grantSubunit', body, { details, shown }))
  }
  const listed = reading(owner.api, 'subunits')
  await expectRows(listed, expected)
  await expectRevocable(listed, owner.api)
})
