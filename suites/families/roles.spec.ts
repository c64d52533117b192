import { drawPesel } from '../../lib/identifiers/pesel.ts'
import { expectOk } from '../../lib/outcome.ts'
import { byNip } from '../support/grants.ts'
import type { ExpectedRow } from '../support/permission-lists.ts'
import { expectRows, listOf, reading } from '../support/permission-lists.ts'
import { familyRule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

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

for (const [subjectType, role] of [
  ['EnforcementAuthority', 'EnforcementAuthority'],
  ['VatGroup', 'VatGroupUnit'],
  ['JST', 'LocalGovernmentUnit'],
] as const)
  test(
    ...familyRule('testdata.entities', family, `removed, ${role}`),
    async ({ api, login, own }) => {
      const body = { subjectNip: own.nip, subjectType, description: 'an entity of a check' }
      const create = () => api.call('testdata.createSubject', { body })
      expectOk(await create(), `create a ${subjectType}`)
      const me = await login()
      const roles = async () => (await listOf(me.api, 'roles')).map((row) => row['role'])
      expect(await roles(), 'the role').toEqual([role])
      const removed = { body: { subjectNip: own.nip } }
      expect(await api.call('testdata.removeSubject', removed)).toBeOk()
      expect(await roles(), 'roles after the removal').toEqual([])
      expect(await create(), 'created again').toBeOk()
      expect(await roles(), 'the role of the new entity').toEqual([role])
    },
  )

test(
  ...familyRule('testdata.entities', family, 'removed, CourtBailiff'),
  async ({ api, login, own, rng }) => {
    const body = { nip: own.nip, pesel: drawPesel(rng), isBailiff: true, description: 'a bailiff' }
    expectOk(await api.call('testdata.createPerson', { body }), 'create a bailiff')
    const me = await login()
    const roles = async () => (await listOf(me.api, 'roles')).map((row) => row['role'])
    expect(await roles(), 'the role').toEqual(['CourtBailiff'])
    expect(await api.call('testdata.removePerson', { body: { nip: own.nip } })).toBeOk()
    expect(await roles(), 'roles after the removal').toEqual([])
  },
)
