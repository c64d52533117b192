import { drawInternalId } from '../../lib/identifiers/internal-id.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { drawPesel } from '../../lib/identifiers/pesel.ts'
import type { Client } from '../../lib/client.ts'
import { expectOk } from '../../lib/outcome.ts'
import type { Rng } from '../../lib/random.ts'
import type { Details } from '../support/grant-details.ts'
import {
  authorizationGrant,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  outcomeOfOperation,
  personGrant,
  revoke,
  unitGrant,
} from '../support/grants.ts'
import type { Row } from '../support/paged-lists.ts'
import { personAt } from '../support/people.ts'
import { expectRows, reading } from '../support/permission-lists.ts'
import { familyRule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

/** What a grantor says of the holder, in every form and twice in different words, in every list; and the ids of rows. */

const named = (list: string) =>
  familyRule('permissions.query.described', 'details of permissions', list)

const granted = { queryType: 'PermissionsGrantedInCurrentContext' }

const withIdentifier = (identifier: Row, firstName: string, lastName: string): Details => {
  const subjectDetailsType = 'PersonByFingerprintWithIdentifier'
  return {
    given: { subjectDetailsType, personByFpWithId: { firstName, lastName, identifier } },
    shown: { subjectDetailsType, firstName, lastName, personIdentifier: identifier },
  }
}

const withoutIdentifier = (birthDate: string, idDocument: Row): Details => {
  const subjectDetailsType = 'PersonByFingerprintWithoutIdentifier'
  const person = { firstName: 'Max', lastName: 'Muster', birthDate, idDocument }
  return {
    given: { subjectDetailsType, personByFpNoId: person },
    shown: { subjectDetailsType, ...person },
  }
}

/** Persons who are known by their certificates: each form twice, different in every field. */
const byCertificate = (rng: Rng): Details[] => [
  withIdentifier({ type: 'Pesel', value: drawPesel(rng) }, longest('Ewa', 30), longest('Lis', 81)),
  withIdentifier({ type: 'Nip', value: drawNip(rng) }, 'Jan', 'Kos'),
  withIdentifier({ type: 'Pesel', value: drawPesel(rng) }, 'Ada', 'Sowa'),
  withoutIdentifier('1984-02-29', { type: 'passport', number: 'AB1234567', country: 'DE' }),
  withoutIdentifier('1990-12-31', { type: 'id card', number: '77X', country: 'CZ' }),
]

/** A text of the greatest length, in more than ASCII. */
const longest = (text: string, length: number): string => text.padEnd(length, 'żółw')

const described = (place: number) => longest(`reason number ${place} `, 256)

/** Expects that the id of a row takes back that row and no other. */
const expectIds = async (
  read: () => Promise<readonly Row[]>,
  take: (id: string) => Promise<Parameters<typeof outcomeOfOperation>[1]>,
  api: Client,
): Promise<void> => {
  const rows = await read()
  const [last] = rows.slice(-1)
  const outcome = await outcomeOfOperation(api, await take(String(last?.['id'])))
  expect(outcome, 'the revocation by the listed id').toHaveSucceeded('operation')
  const left = (await read()).map(({ description }) => description)
  expect(left, 'the rows that are left').toEqual(
    rows.slice(0, -1).map(({ description }) => description),
  )
}

test(...named('persons and personal'), async ({ login, own, rng, target }) => {
  const owner = await login()
  const person = personAt(own, rng, target, 'Fingerprint')
  const details = byCertificate(rng)
  const permissions = [
    'InvoiceRead',
    'InvoiceWrite',
    'Introspection',
    'CredentialsRead',
    'SubunitManage',
  ]
  const expected: Row[] = []
  for (const [place, { given, shown }] of details.entries()) {
    const permissionScope = permissions[place] ?? ''
    await grantBy(owner.api, 'permissions.grantPerson', {
      ...personGrant(person.subject, [permissionScope]),
      description: described(place),
      subjectDetails: given,
    })
    expected.push({ description: described(place), permissionScope, subjectPersonDetails: shown })
  }
  const me = await login({ context: person.context })
  const persons = reading(owner.api, 'persons', granted)
  const personal = reading(me.api, 'personal')
  await expectRows(persons, expected)
  await expectRows(personal, expected)
  const ids = async ({ read }: typeof persons) =>
    (await read()).map(({ id, description }) => `${String(description)}: ${String(id)}`).toSorted()
  expect(await ids(personal), 'ids for the holder').toEqual(await ids(persons))
  await expectIds(persons.read, (id) => revoke(owner.api, id), owner.api)
})

test(...named('entities and personal'), async ({ login, another }) => {
  const office = await login()
  const expected: Row[] = []
  const clients: Client[] = []
  for (const [place, fullName] of [longest('Biuro Jeden', 90), 'Biuro Dwa S.A.'].entries()) {
    const { api, context } = await login({ context: await another() })
    const grant = entityGrant(office.context.nip, [
      { type: place === 0 ? 'InvoiceRead' : 'InvoiceWrite', canDelegate: place === 0 },
    ])
    const description = described(place)
    const body = { ...grant, description, subjectDetails: { fullName } }
    await grantBy(api, 'permissions.grantEntity', body)
    const shown = { subjectDetailsType: 'EntityByIdentifier', fullName }
    const row = { description, canDelegate: place === 0 }
    await expectRows(reading(api, 'persons', granted), [{ ...row, subjectEntityDetails: shown }])
    expected.push({
      ...row,
      contextIdentifier: { type: 'Nip', value: context.nip },
      subjectEntityDetails: shown,
    })
    clients.push(api)
  }
  await expectRows(reading(office.api, 'personal'), expected)
  const entities = reading(office.api, 'entities')
  await expectRows(
    entities,
    expected.map(({ description, canDelegate, contextIdentifier }) => ({
      description,
      canDelegate,
      contextIdentifier,
    })),
  )
  const [newest] = await entities.read()
  const grantor = clients.at(-1) ?? office.api
  const outcome = await outcomeOfOperation(grantor, await revoke(grantor, String(newest?.['id'])))
  expect(outcome, 'the revocation by the listed id').toHaveSucceeded('operation')
})

test(...named('subunits'), async ({ api: open, login, own, rng }) => {
  const { api } = await login()
  const member = drawNip(rng)
  const subunits = [{ subjectNip: member, description: 'a member of a check' }]
  const group = { subjectNip: own.nip, subjectType: 'VatGroup', description: 'a group', subunits }
  expectOk(await open.call('testdata.createSubject', { body: group }), 'create a VAT group')
  const expected: Row[] = []
  for (const [place, { given, shown }] of byCertificate(rng).entries()) {
    const unit =
      place === 2
        ? { type: 'Nip', value: member }
        : { type: 'InternalId', value: drawInternalId(rng, own.nip) }
    const subject = { type: 'Fingerprint', value: `A${rng.digits(63)}` }
    const description = described(place)
    const body = { ...unitGrant(subject, unit, 'a branch'), description, subjectDetails: given }
    await grantBy(api, 'permissions.grantSubunit', body)
    expected.push({ description, subunitIdentifier: unit, subjectPersonDetails: shown })
  }
  const listed = reading(api, 'subunits')
  await expectRows(listed, expected)
  await expectIds(listed.read, (id) => revoke(api, id), api)
})

test(...named('eu'), async ({ login, rng }) => {
  const { api, context } = await login()
  const entities = [longest('Exempel AB', 100), 'Esempio S.p.A.'].map((fullName): Details => {
    const subjectDetailsType = 'EntityByFingerprint'
    const entityByFp = { fullName, address: longest(`Via ${fullName} 1`, 512) }
    return {
      given: { subjectDetailsType, entityByFp },
      shown: { subjectDetailsType, ...entityByFp },
    }
  })
  const expected: Row[] = []
  for (const [place, { given, shown }] of [...byCertificate(rng), ...entities].entries()) {
    const vat = `DE${rng.digits(9)}`
    const print = `A${rng.digits(63)}`
    const description = described(place)
    await grantBy(api, 'permissions.grantEuAdministration', {
      ...euAdministrationGrant(print, `${context.nip}-${vat}`),
      description,
      subjectDetails: given,
    })
    const isEntity = 'entityByFp' in given
    for (const permissionScope of ['VatUeManage', 'InvoiceWrite', 'InvoiceRead', 'Introspection'])
      expected.push({
        description: `${permissionScope} ${description}`,
        permissionScope,
        vatUeIdentifier: vat,
        authorizedFingerprintIdentifier: print,
        ...(isEntity ? { subjectEntityDetails: shown } : { subjectPersonDetails: shown }),
      })
  }
  const listed = reading(api, 'eu')
  const read = async () =>
    (await listed.read()).map((row) => ({
      ...row,
      description: `${String(row['permissionScope'])} ${String(row['description'])}`,
    }))
  await expectRows({ ...listed, read }, expected)
  await expectIds(read, (id) => revoke(api, id), api)
})

test(...named('authorizations'), async ({ login, own, another, rng, target }) => {
  const owner = await login()
  const person = personAt(own, rng, target, 'Pesel')
  const manager = personGrant(person.subject, ['CredentialsManage'])
  await grantBy(owner.api, 'permissions.grantPerson', manager)
  const deputy = await login({ context: person.context })
  const agent = await login({ context: await another() })
  const holder = { type: 'Nip', value: agent.context.nip }
  const expected: Row[] = []
  for (const [place, [by, author, kind]] of (
    [
      [owner, { type: 'Nip', value: own.nip }, 'SelfInvoicing'],
      [deputy, person.subject, 'TaxRepresentative'],
      [owner, { type: 'Nip', value: own.nip }, 'RRInvoicing'],
    ] as const
  ).entries()) {
    const description = described(place)
    const fullName = `Agent number ${place}`
    const body = { ...authorizationGrant(holder, kind), description, subjectDetails: { fullName } }
    await grantBy(by.api, 'permissions.grantAuthorization', body)
    expected.push({
      description,
      authorizationScope: kind,
      authorIdentifier: author,
      subjectEntityDetails: { fullName },
    })
  }
  const listed = reading(owner.api, 'authorizations', { queryType: 'Granted' })
  await expectRows(listed, expected)
  await expectIds(
    listed.read,
    (permissionId) => owner.api.call('permissions.revokeAuthorization', { path: { permissionId } }),
    owner.api,
  )
})

test(...named('subordinate roles'), async ({ api, login, own, rng }) => {
  const subunits = [1, 2].map((place) => ({
    subjectNip: drawNip(rng),
    description: `member number ${place}`,
  }))
  const body = { subjectNip: own.nip, subjectType: 'VatGroup', description: 'the head', subunits }
  expectOk(await api.call('testdata.createSubject', { body }), 'create a VAT group')
  const head = await login()
  await expectRows(
    reading(head.api, 'subordinateRoles'),
    subunits.map(({ subjectNip, description }) => ({
      description,
      subordinateEntityIdentifier: { type: 'Nip', value: subjectNip },
      role: 'VatGroupSubUnit',
    })),
  )
})

test(
  ...familyRule('permissions.grant.listed', 'details of permissions', 'the same twice'),
  async ({ login, rng }) => {
    const { api } = await login()
    const [person, entity] = [drawNip(rng), drawNip(rng)]
    const holder = { type: 'Nip', value: person }
    for (const [list, operation, body, query] of [
      ['persons', 'permissions.grantPerson', personGrant(holder, ['InvoiceRead']), granted],
      [
        'authorizations',
        'permissions.grantAuthorization',
        authorizationGrant({ type: 'Nip', value: entity }, 'SelfInvoicing'),
        { queryType: 'Granted' },
      ],
    ] as const) {
      // The second grant may be refused, at once or as an operation; it adds nothing either way.
      for (let time = 0; time < 2; time += 1)
        await outcomeOfOperation(api, await api.call(operation, { body }))
      expect((await reading(api, list, query).read()).length, `rows of ${list}`).toBe(1)
    }
  },
)
