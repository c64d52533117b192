import type { Client } from '../../lib/client.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { drawPesel } from '../../lib/identifiers/pesel.ts'
import { makeCertificate, personSubject } from '../../lib/node/pki.ts'
import { expectObject, expectOk } from '../../lib/outcome.ts'
import type { Context } from '../../lib/flows/login.ts'
import type { Rng } from '../../lib/random.ts'
import { contextWith } from '../support/service/contexts.ts'
import { byNip, grantPerson, outcomeOfOperation, personGrant } from '../support/callers/grants.ts'
import { personAt } from '../support/callers/people.ts'
import { listOf } from '../support/callers/permission-lists.ts'
import { rule } from '../support/checks/rule.ts'
import { authenticateAs } from '../support/steps/steps.ts'
import type { Target } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

const description = 'made by a conformance check'

const personOf = (nip: string, pesel: string, more: Readonly<Record<string, unknown>> = {}) => ({
  nip,
  pesel,
  isBailiff: false,
  description,
  ...more,
})

/** The roles of the caller's context. */
const rolesOf = async (api: Client): Promise<string[]> => {
  const answer = await api.call('permissions.queryRoles', { query: { pageSize: 100 } })
  const { roles } = expectObject(answer, 'read the roles of the context')
  return ((roles ?? []) as readonly { readonly role: string }[]).map(({ role }) => role)
}

/** Has a person sign in to a context by the number in a certificate. */
const enter = (
  api: Client,
  target: Target,
  { type, value }: Context,
  known: Parameters<typeof personSubject>[0],
) => {
  const credentials = makeCertificate({ subject: personSubject(known), now: target.now() })
  return authenticateAs(api, contextWith({ type, value }, credentials, target.now))
}

/** Grants what only who has the power of enforcement may grant. */
const grantEnforcement = async (api: Client, rng: Rng) => {
  const body = personGrant(byNip(drawNip(rng)), ['EnforcementOperations'])
  return outcomeOfOperation(api, await api.call('permissions.grantPerson', { body }))
}

const units = [
  ['local government', 'JST', 'LocalGovernmentUnit', 'LocalGovernmentSubUnit'],
  ['vat group', 'VatGroup', 'VatGroupUnit', 'VatGroupSubUnit'],
] as const

for (const [what, subjectType, head, member] of units) {
  test(...rule('testdata.entities', what), async ({ api, login, own, another }) => {
    const members = [await another(), await another()]
    const subunits = members.map(({ nip }) => ({ subjectNip: nip, description }))
    const created = await api.call('testdata.createSubject', {
      body: { subjectNip: own.nip, subjectType, description, subunits },
    })
    expect(created).toBeOk()
    const headRoles = await rolesOf((await login()).api)
    expect(headRoles, 'the role of the head').toEqual([head])
    for (const context of members) {
      const memberRoles = await rolesOf((await login({ context })).api)
      expect(memberRoles, 'the role of each member').toEqual([member])
    }
  })
}

test(
  ...rule('testdata.entities', 'enforcement authority'),
  async ({ api, login, own, rng, target }) => {
    const subjectType = 'EnforcementAuthority'
    const body = { subjectNip: own.nip, subjectType, description }
    expect(await api.call('testdata.createSubject', { body })).toBeOk()
    const me = await login()
    expect(await rolesOf(me.api), 'the role of the authority').toEqual([subjectType])
    expect(
      await grantEnforcement(me.api, rng),
      `a permission that only an authority may grant in ${target.environment}`,
    ).toHaveSucceeded('operation')
  },
)

test(...rule('testdata.entities', 'deceased person'), async ({ api, own, rng, target }) => {
  for (const [nip, isBailiff] of [
    [own.nip, false],
    [drawNip(rng), true],
  ] as const) {
    const pesel = drawPesel(rng)
    const body = personOf(nip, pesel, { isBailiff, isDeceased: true })
    expect(await api.call('testdata.createPerson', { body })).toBeOk()
    const outcome = await enter(api, target, byNip(nip), { pesel })
    expect(outcome, isBailiff ? 'a bailiff' : 'a sole trader').toBeRejected('subject-deceased')
  }
})

test(...rule('testdata.entities', 'bailiff'), async ({ api, own, rng, target, login }) => {
  const pesel = drawPesel(rng)
  const body = personOf(own.nip, pesel, { isBailiff: true })
  expect(await api.call('testdata.createPerson', { body })).toBeOk()
  const credentials = makeCertificate({ subject: personSubject({ pesel }), now: target.now() })
  const { type, value } = own
  const me = await login({ context: contextWith({ type, value }, credentials, target.now) })
  expect(await rolesOf(me.api), 'the role of the bailiff').toEqual(['CourtBailiff'])
})

test(
  ...rule('testdata.entities', 'bailiff, at the head of a unit'),
  async ({ api, own, rng, login }) => {
    const person = personOf(own.nip, drawPesel(rng), { isBailiff: true })
    expect(await api.call('testdata.createPerson', { body: person })).toBeOk()
    const unit = { subjectNip: own.nip, subjectType: 'JST', description }
    expect(await api.call('testdata.createSubject', { body: unit })).toBeOk()
    const roles = await rolesOf((await login()).api)
    expect(roles.toSorted(), 'both roles').toEqual(['CourtBailiff', 'LocalGovernmentUnit'])
  },
)

test(
  ...rule('testdata.entities', 'sole trader, known by either number'),
  async ({ api, login, own, rng, target }) => {
    const owner = await login()
    for (const kind of ['Pesel', 'Nip'] as const) {
      const [nip, pesel] = [drawNip(rng), drawPesel(rng)]
      const made = personOf(nip, pesel)
      expect(await api.call('testdata.createPerson', { body: made })).toBeOk()
      const [granted, other] = kind === 'Pesel' ? [pesel, { nip }] : [nip, { pesel }]
      const enters = () => enter(api, target, own, other)
      expect(await enters(), 'before a grant').toBeRejected('subject-without-permission')
      await grantPerson(owner.api, { type: kind, value: granted }, ['Introspection'])
      expect(await enters(), `granted to the ${kind}`).toHaveSucceeded('authentication')
    }
  },
)

test(...rule('testdata.entities', 'sole trader'), async ({ api, own, rng, target }) => {
  const pesel = drawPesel(rng)
  const enters = () => enter(api, target, own, { pesel })
  expect(await enters(), 'before').toBeRejected('subject-without-permission')
  const body = personOf(own.nip, pesel)
  expect(await api.call('testdata.createPerson', { body })).toBeOk()
  expect(await enters(), 'the owner').toHaveSucceeded('authentication')
})

test(...rule('testdata.entities', 'ordinary firm'), async ({ login, rng }) => {
  const { api } = await login()
  expect(await rolesOf(api), 'roles of an unregistered entity').toEqual([])
  expect(await grantEnforcement(api, rng)).toBeRejected('grant-refused')
})

test(...rule('testdata.entities', 'twice'), async ({ api, own }) => {
  const body = { subjectNip: own.nip, subjectType: 'VatGroup', description }
  expect(await api.call('testdata.createSubject', { body })).toBeOk()
  expect(await api.call('testdata.createSubject', { body })).toBeRefused('testdata-exists')
})

test(...rule('testdata.entities', 'twice, person'), async ({ api, own, rng }) => {
  const body = personOf(own.nip, drawPesel(rng))
  expect(await api.call('testdata.createPerson', { body })).toBeOk()
  expect(await api.call('testdata.createPerson', { body })).toBeRefused('testdata-exists')
})

test(...rule('testdata.entities', 'removed, unit'), async ({ api, login, own, another }) => {
  const unit = await another()
  const body = {
    subjectNip: own.nip,
    subjectType: 'JST',
    description,
    subunits: [{ subjectNip: unit.nip, description }],
  }
  const create = () => api.call('testdata.createSubject', { body })
  expectOk(await create(), 'create a local-government unit')
  const removed = await api.call('testdata.removeSubject', { body: { subjectNip: own.nip } })
  expect(removed).toBeOk()
  const head = await login()
  expect(await rolesOf(head.api), 'roles of the former head').toEqual([])
  const member = await login({ context: unit })
  expect(await rolesOf(member.api), 'roles of the former member').toEqual([])
  expect(await create(), 'created again').toBeOk()
  expect(await rolesOf(head.api), 'the role of the head').toEqual(['LocalGovernmentUnit'])
  expect(await api.call('testdata.removeSubject', { body: { subjectNip: own.nip } })).toBeOk()
  expect(await rolesOf(head.api), 'roles after it was removed again').toEqual([])
})

test(...rule('testdata.entities', 'removed, person'), async ({ api, own, rng, target }) => {
  const pesel = drawPesel(rng)
  const body = personOf(own.nip, pesel)
  expectOk(await api.call('testdata.createPerson', { body }), 'create a person')
  expect(await api.call('testdata.removePerson', { body: { nip: own.nip } })).toBeOk()
  const enters = () => enter(api, target, own, { pesel })
  expect(await enters()).toBeRejected('subject-without-permission')
  expect(await api.call('testdata.createPerson', { body }), 'created again').toBeOk()
  expect(await enters(), 'the owner').toHaveSucceeded('authentication')
})

test(...rule('testdata.entities', 'deceased person, by NIP'), async ({ api, own, rng, target }) => {
  const body = personOf(own.nip, drawPesel(rng), { isDeceased: true })
  expect(await api.call('testdata.createPerson', { body })).toBeOk()
  expect(await enter(api, target, own, body)).toBeRejected('subject-deceased')
})

test(
  ...rule('testdata.entities', 'ordinary firm, of a person'),
  async ({ api, login, own, rng }) => {
    const body = personOf(own.nip, drawPesel(rng))
    expect(await api.call('testdata.createPerson', { body })).toBeOk()
    const me = await login()
    expect(await rolesOf(me.api), 'roles of a sole trader').toEqual([])
    expect(await grantEnforcement(me.api, rng)).toBeRejected('grant-refused')
  },
)

test(...rule('testdata.entities', 'bailiff, enforcing'), async ({ api, login, own, rng }) => {
  const body = personOf(own.nip, drawPesel(rng), { isBailiff: true })
  expect(await api.call('testdata.createPerson', { body })).toBeOk()
  const { api: bailiff } = await login()
  expect(await grantEnforcement(bailiff, rng)).toHaveSucceeded('operation')
})

for (const [what, create, remove] of [
  ['unit', 'testdata.createSubject', 'testdata.removeSubject'],
  ['person', 'testdata.createPerson', 'testdata.removePerson'],
] as const)
  test(
    ...rule('testdata.entities', `removed, ${what}, with the power of enforcement`),
    async ({ api, login, own: { nip }, rng }) => {
      const subject = { subjectNip: nip, subjectType: 'EnforcementAuthority', description }
      const body = what === 'unit' ? subject : personOf(nip, drawPesel(rng), { isBailiff: true })
      expect(await api.call(create, { body })).toBeOk()
      const token = { permissions: ['EnforcementOperations'], description }
      const asks = async () => (await login()).api.call('tokens.create', { body: token })
      expect(await asks(), 'with its power').toBeOk()
      const named = what === 'unit' ? { subjectNip: nip } : { nip }
      expect(await api.call(remove, { body: named })).toBeOk()
      expect(await asks(), 'without').toBeRefused('token-permissions-lacking')
      expect(await grantEnforcement((await login()).api, rng)).toBeRejected('grant-refused')
    },
  )

test(
  ...rule('testdata.entities', 'enforcement authority, with an earlier date'),
  async ({ api, login, own, target }) => {
    const createdDate = new Date(target.now() - 40 * 24 * 3600_000).toISOString()
    const body = {
      subjectNip: own.nip,
      subjectType: 'EnforcementAuthority',
      description,
      createdDate,
    }
    expect(await api.call('testdata.createSubject', { body })).toBeOk()
    const [role] = await listOf((await login()).api, 'roles')
    expect(Date.parse(String(role?.['startDate'])), 'since when it has its role').toBe(
      Date.parse(createdDate),
    )
  },
)

test(...rule('testdata.entities', 'twice, and as it was'), async ({ api, login, own, another }) => {
  const [unit, other] = [await another(), await another()]
  const create = (subjectType: string, member: typeof unit) => {
    const subunits = [{ subjectNip: member.nip, description }]
    const body = { subjectNip: own.nip, description, subjectType, subunits }
    return api.call('testdata.createSubject', { body })
  }
  expect(await create('VatGroup', unit)).toBeOk()
  expect(await create('JST', other)).toBeRefused('testdata-exists')
  expect(await rolesOf((await login()).api), 'the role of the head').toEqual(['VatGroupUnit'])
  const roles = async (context: typeof unit) => rolesOf((await login({ context })).api)
  expect(await roles(unit), 'the role of the member').toEqual(['VatGroupSubUnit'])
  expect(await roles(other), 'roles of the one that was not made a member').toEqual([])
})

test(
  ...rule('testdata.entities', 'removed, person with permissions'),
  async ({ api, login, own, rng, target, another }) => {
    const client = await another()
    const [withNip, withPesel] = [
      personAt(client, rng, target),
      personAt(client, rng, target, 'Pesel'),
    ]
    const body = personOf(withNip.subject.value, withPesel.subject.value)
    expectOk(await api.call('testdata.createPerson', { body }), 'create a person')
    const { api: grantor } = await login({ context: client })
    for (const { subject, context } of [withNip, withPesel]) {
      await grantPerson(grantor, subject, ['InvoiceRead'])
      expect(await authenticateAs(api, context), subject.type).toHaveSucceeded('authentication')
    }
    const removed = await api.call('testdata.removePerson', { body: { nip: body.nip } })
    expect(removed).toBeOk()
    for (const { context } of [withNip, withPesel])
      expect(await authenticateAs(api, context)).toBeRejected('subject-without-permission')
    expect(await authenticateAs(api, own), 'another taxpayer').toHaveSucceeded('authentication')
  },
)
