import { drawPesel } from '../../../lib/identifiers/pesel.ts'
import { makeCertificate, personSubject } from '../../../lib/node/pki.ts'
import { expectOk } from '../../../lib/outcome.ts'
import type { OwnContext } from '../../support/service/contexts.ts'
import { byNip } from '../../support/callers/grants.ts'
import type { ExpectedRow } from '../../support/callers/permission-lists.ts'
import { expectRows, inShort, listOf, reading } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Roles that a taxpayer has through its entity, each as it was created, and no longer once the entity is removed. */

const day = 24 * 3_600_000
const family = 'role of a taxpayer'

test(
  ...familyRule('permissions.query.described', family, 'since a date of its own'),
  async ({ api, login, own, another, rng, target }) => {
    const head = await another()
    const subunits = [{ subjectNip: own.nip, description: 'a member' }]
    const pesel = drawPesel(rng)
    const made = [
      [
        'testdata.createSubject',
        { subjectNip: own.nip, subjectType: 'EnforcementAuthority', description: 'an authority' },
        'EnforcementAuthority',
      ],
      [
        'testdata.createSubject',
        { subjectNip: head.nip, subjectType: 'VatGroup', description: 'a group', subunits },
        'VatGroupSubUnit',
      ],
      [
        'testdata.createPerson',
        { nip: own.nip, pesel, isBailiff: true, description: 'a bailiff' },
        'CourtBailiff',
      ],
    ] as const
    const expected: ExpectedRow[] = []
    for (const [place, [operation, body, role]] of made.entries()) {
      const createdAt = Math.floor(target.now() / 1000) * 1000 - (30 - 10 * place) * day
      const createdDate = new Date(createdAt).toISOString()
      expectOk(await api.call(operation, { body: { ...body, createdDate } }), `create a ${role}`)
      const parent =
        role === 'VatGroupSubUnit' ? { parentEntityIdentifier: byNip(head.nip) } : undefined
      const { description } = body
      expected.push({ description, role, ...parent, began: [createdAt, createdAt] })
    }
    await expectRows(reading((await login()).api, 'roles'), expected)
    const [unit] = await listOf((await login({ context: head })).api, 'subordinateRoles')
    const since = Date.parse(String(unit?.['startDate']))
    expect(since, 'since when it is a member').toBe(expected[1]?.began?.[0])
  },
)

/** The data from which each role is created: that of a person, or else that of a subject. */
const entities = [
  ['EnforcementAuthority', { subjectType: 'EnforcementAuthority' }],
  ['VatGroupUnit', { subjectType: 'VatGroup' }],
  ['LocalGovernmentUnit', { subjectType: 'JST' }],
  ['CourtBailiff', { isBailiff: true }],
] as const

for (const [role, kind] of entities)
  test(
    ...familyRule('testdata.entities', family, `removed, ${role}`),
    async ({ api, login, own, rng }) => {
      const person = 'isBailiff' in kind
      const key = person ? { nip: own.nip } : { subjectNip: own.nip }
      const body = { ...key, ...kind, description: 'an entity of a check' }
      const create = () =>
        person
          ? api.call('testdata.createPerson', { body: { ...body, pesel: drawPesel(rng) } })
          : api.call('testdata.createSubject', { body })
      expectOk(await create(), `create a ${role}`)
      const me = await login()
      const roles = async () => (await listOf(me.api, 'roles')).map((row) => row['role'])
      expect(await roles(), 'the role').toEqual([role])
      const remove = person ? 'testdata.removePerson' : 'testdata.removeSubject'
      expect(await api.call(remove, { body: key })).toBeOk()
      expect(await roles(), 'roles after the removal').toEqual([])
      expect(await create(), 'created again').toBeOk()
      expect(await roles(), 'the role of the new entity').toEqual([role])
    },
  )

/** What a head is created as first, what it is created as then, and the role of its members. */
const heads = [
  ['VatGroup', 'JST', 'LocalGovernmentSubUnit'],
  ['JST', 'VatGroup', 'VatGroupSubUnit'],
] as const

for (const [first, then, role] of heads)
  test(
    ...familyRule('testdata.entities', family, `created again as ${then}, with another member`),
    async ({ api, login, own, another }) => {
      const [former, member] = [await another(), await another()]
      const create = (subjectType: string, { nip }: { readonly nip: string }) =>
        api.call('testdata.createSubject', {
          body: {
            subjectNip: own.nip,
            subjectType,
            description: 'an entity of a check',
            subunits: [{ subjectNip: nip, description: 'a member' }],
          },
        })
      expectOk(await create(first, former), `create a ${first}`)
      const removed = await api.call('testdata.removeSubject', { body: { subjectNip: own.nip } })
      expectOk(removed, `remove the ${first}`)
      expect(await create(then, member), 'created again').toBeOk()
      const roles = async (context: OwnContext) =>
        (await listOf((await login({ context })).api, 'roles')).map((row) => row['role'])
      expect(await roles(former), 'roles of the former member').toEqual([])
      expect(await roles(member), 'the role of the member').toEqual([role])
      const members = await listOf((await login()).api, 'subordinateRoles')
      expect(members.map(inShort), 'the members').toEqual([`${role} ${member.nip}`])
    },
  )

test(
  ...familyRule('testdata.entities', family, 'created again as a person, with another PESEL'),
  async ({ api, own, rng, target }) => {
    const enter = (pesel: string) => {
      const credentials = makeCertificate({ subject: personSubject({ pesel }), now: target.now() })
      return authenticateAs(api, own, { credentials })
    }
    const create = (pesel: string) =>
      api.call('testdata.createPerson', {
        body: { nip: own.nip, pesel, isBailiff: false, description: 'a person of a check' },
      })
    const [former, present] = [drawPesel(rng), drawPesel(rng)]
    expectOk(await create(former), 'create a person')
    const removed = await api.call('testdata.removePerson', { body: { nip: own.nip } })
    expectOk(removed, 'remove the person')
    expect(await create(present), 'created again').toBeOk()
    expect(await enter(present), 'with the new PESEL').toHaveSucceeded('authentication')
    expect(await enter(former)).toBeRejected('subject-without-permission')
  },
)

test(
  ...familyRule('testdata.entities', family, 'of two entities, until one is removed'),
  async ({ api, login, own, another }) => {
    const subunits = [{ subjectNip: own.nip, description: 'a member' }]
    const made = [
      ['JST', 'LocalGovernmentSubUnit', (await another()).nip],
      ['VatGroup', 'VatGroupSubUnit', (await another()).nip],
    ] as const
    const expected = made.map(([subjectType, role, head]): ExpectedRow => ({
      description: `a ${subjectType}`,
      role,
      parentEntityIdentifier: byNip(head),
    }))
    for (const [subjectType, , subjectNip] of made) {
      const body = { subjectNip, subjectType, description: `a ${subjectType}`, subunits }
      expectOk(await api.call('testdata.createSubject', { body }), `create a ${subjectType}`)
    }
    const member = reading((await login()).api, 'roles')
    await expectRows(member, expected)
    const body = { subjectNip: made[0][2] }
    expectOk(await api.call('testdata.removeSubject', { body }), 'remove the first')
    await expectRows(member, expected.slice(1))
  },
)
