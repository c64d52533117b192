import type { Client } from '../../../lib/client.ts'
import { drawNip } from '../../../lib/identifiers/nip.ts'
import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import {
  authorizationGrant,
  byNip,
  entityGrant,
  euAdministrationGrant,
  grantBy,
  grantInTest,
  granted,
  grantPerson,
  indirectGrant,
  unitGrant,
} from '../../support/callers/grants.ts'
import { heldAlone } from '../../support/coverage/matrices.ts'
import { judgedPages } from '../../support/steps/page-sizes.ts'
import { bodyFor } from '../../support/answers/paged-lists.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { personAt } from '../../support/callers/people.ts'
import { rule } from '../../support/checks/rule.ts'
import { expect, test } from '../../support/harness/test.ts'
import { grantLists, rowsIn } from '../../support/callers/permission-lists.ts'
import type { GrantListName } from '../../support/callers/permission-lists.ts'
import { drawUnit } from '../../support/run/units.ts'

/** How the lists of permissions are paged. */

const description = 'granted by a conformance check'

/**
 * Expects twelve permissions on two pages of ten, each once, newest first. Permissions of one grant begin at the same
 * instant, so a check's last grant contains a single permission where that is possible.
 */
const twelve = async (
  api: Client,
  list: GrantListName,
  body: Row = {},
  identity = ({ id }: Row): unknown => id,
) => {
  const [operation, field] = grantLists[list]
  const pages = await judgedPages({ api, operation, field, body }, 10, 2)
  expect(
    pages.map(({ length }) => length),
    'permissions on each page',
  ).toEqual([10, 2])
  const rows = pages.flat()
  expect(new Set(rows.map(identity)).size, 'permissions that differ').toBe(12)
  const begun = rows.map(({ startDate }) => Date.parse(String(startDate)))
  expect(begun, 'start times, newest first').toEqual(begun.toSorted((a, b) => b - a))
  const query = { pageSize: 10, pageOffset: 2 }
  const past = await api.call(operation, { query, ...bodyFor(operation, body) })
  expect(past.body, 'a page after the last one').toMatchObject({ [field]: [], hasMore: false })
}

test(...rule('permissions.query.paged', 'persons'), async ({ login, own, rng, target }) => {
  const { api } = await login()
  for (const permissions of [
    ['InvoiceRead', 'InvoiceWrite', 'Introspection'],
    ['CredentialsRead', 'SubunitManage', 'InvoiceRead'],
    ['InvoiceRead', 'InvoiceWrite', 'CredentialsManage'],
    ['InvoiceRead', 'InvoiceWrite'],
    ['Introspection'],
  ])
    await grantPerson(api, personAt(own, rng, target).subject, permissions)
  await twelve(api, 'persons', granted)
})

test(...rule('permissions.query.paged', 'subunits'), async ({ login, own, rng }) => {
  const { api } = await login()
  for (let made = 0; made < 12; made += 1) {
    const unit = drawUnit(rng, own.nip)
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
  for (const permissions of [both, both, both, both, both, [both[0]!], [both[1]!]]) {
    const { api } = await login({ context: await another() })
    await grantBy(api, 'permissions.grantEntity', entityGrant(office.context.nip, permissions))
  }
  await twelve(office.api, 'entities')
})

test(
  ...rule('permissions.query.paged', 'personal'),
  async ({ login, own, another, rng, target }) => {
    const owner = await login()
    const person = personAt(own, rng, target)
    const { subject } = person
    await grantPerson(owner.api, subject, heldAlone)
    const both = ['InvoiceRead', 'InvoiceWrite']
    const passOn = both.map((type) => ({ type, canDelegate: true }))
    const clients = [{ type: 'AllPartners' }] as { type: string; value?: string }[]
    for (let made = 0; made < 2; made += 1) {
      const { api, context } = await login({ context: await another() })
      await grantBy(api, 'permissions.grantEntity', entityGrant(own.nip, passOn))
      clients.push(byNip(context.nip))
    }
    for (const client of clients)
      for (const permissions of client === clients.at(-1) ? both.map((one) => [one]) : [both])
        await grantBy(
          owner.api,
          'permissions.grantIndirect',
          indirectGrant(subject, permissions, client),
        )
    await twelve((await login({ context: person.context })).api, 'personal')
  },
)

test(...rule('permissions.query.paged', 'subordinate roles'), async ({ api, login, own, rng }) => {
  const subunits = Array.from({ length: 12 }, () => ({ subjectNip: drawNip(rng), description }))
  const body = { subjectNip: own.nip, subjectType: 'VatGroup', description, subunits }
  expect(await api.call('testdata.createSubject', { body })).toBeOk()
  const head = await login()
  await twelve(head.api, 'subordinateRoles', {}, ({ subordinateEntityIdentifier }) =>
    JSON.stringify(subordinateEntityIdentifier),
  )
})

test(...rule('permissions.query.paged', 'roles'), async ({ api, login, own, rng, clock }) => {
  const subunits = [{ subjectNip: own.nip, description }]
  const heads = Array.from({ length: 12 }, () => drawNip(rng))
  for (const subjectNip of heads) {
    if (subjectNip === heads.at(-1)) await clock.pass(1_000)
    const body = { subjectNip, subjectType: 'VatGroup', description, subunits }
    expect(await api.call('testdata.createSubject', { body })).toBeOk()
  }
  await twelve((await login()).api, 'roles', {}, ({ parentEntityIdentifier }) =>
    JSON.stringify(parentEntityIdentifier),
  )
})

test(
  ...rule('permissions.query.paged', 'persons, on one large page'),
  async ({ api, login, own, rng }) => {
    const owner = await login()
    const holders = Array.from({ length: 9 }, () => byNip(drawNip(rng)))
    for (const holder of holders) await grantInTest(api, own, holder, heldAlone)
    for (const pageSize of [60, 100]) {
      const answer = await owner.api.call('permissions.queryPersons', {
        query: { pageSize },
        body: granted,
      })
      expect(answer).toBeOk()
      expect(rowsIn('persons')(answer).length, `rows on a page of ${pageSize}`).toBe(
        holders.length * heldAlone.length,
      )
      expect(answer.body, 'whether there are more').toMatchObject({ hasMore: false })
    }
  },
)
