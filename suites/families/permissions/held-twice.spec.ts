import { contextWith } from '../../support/service/contexts.ts'
import { wrongDecisions } from '../../support/callers/decisions.ts'
import {
  byNip,
  authorizationGrant,
  entityGrant,
  grantBy,
  granted,
  grantInTest,
  listGranted,
  outcomeOfOperation,
  personGrant,
  revoke,
} from '../../support/callers/grants.ts'
import { meaningOfRow } from '../../support/answers/meaning.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'

/** A permission that is held in two ways ends with the last of them; one that is named twice is held once. */

type Me = Awaited<ReturnType<Fixtures['login']>>

type Grant = (by: Me, nip: string, api: Fixtures['api']) => Promise<unknown>

const asked =
  (
    operation: 'permissions.grantPerson' | 'permissions.grantEntity',
    bodyOf: (nip: string) => unknown,
  ): Grant =>
  async ({ api }, nip) =>
    outcomeOfOperation(api, await api.call(operation, { body: bodyOf(nip) }))

const grants: Readonly<Record<string, Grant>> = {
  'as a person': asked('permissions.grantPerson', (nip) =>
    personGrant(byNip(nip), ['InvoiceRead']),
  ),
  'as an entity': asked('permissions.grantEntity', (nip) =>
    entityGrant(nip, [{ type: 'InvoiceRead' }]),
  ),
  'by test data': ({ context }, nip, api) => grantInTest(api, context, byNip(nip), ['InvoiceRead']),
}

const pairs = [
  ['as a person', 'as an entity'],
  ['as an entity', 'as a person'],
  ['as a person', 'by test data'],
  ['as an entity', 'by test data'],
] as const

test(
  ...familyRule('permissions.revoke.effective', 'held twice', 'as an agent, of two kinds'),
  async ({ login, another }) => {
    const { api } = await login()
    const { nip } = await another()
    const kinds = ['SelfInvoicing', 'TaxRepresentative'] as const
    for (const kind of kinds)
      await grantBy(api, 'permissions.grantAuthorization', authorizationGrant(byNip(nip), kind))
    const listed = async () =>
      (await listOf(api, 'authorizations', { queryType: 'Granted' })).map((row) =>
        meaningOfRow('permissions.queryAuthorizations', 'authorizationGrants', row),
      )
    const rows = await listed()
    const scopes = rows.map(({ authorizationScope }) => String(authorizationScope))
    expect(new Set(scopes), 'what was granted').toEqual(new Set(kinds))
    const permissionId = String(rows[0]?.['id'])
    const revoked = await api.call('permissions.revokeAuthorization', { path: { permissionId } })
    expect(await outcomeOfOperation(api, revoked)).toHaveSucceeded('operation')
    expect(await listed(), 'what is left').toEqual(rows.slice(1))
  },
)

test(
  ...familyRule('permissions.revoke.effective', 'held twice', 'as an agent and as an entity'),
  async ({ api, login, another, target }) => {
    const me = await login()
    const office = await another()
    const grantBoth = async () => {
      const agent = authorizationGrant(byNip(office.nip), 'SelfInvoicing')
      await outcomeOfOperation(
        me.api,
        await me.api.call('permissions.grantAuthorization', { body: agent }),
      )
      await grants['as an entity']?.(me, office.nip, api)
    }
    const { type, value } = me.context
    const context = contextWith({ type, value }, office.credentials, target.now)
    const authorizations = () => listOf(me.api, 'authorizations', { queryType: 'Granted' })
    const persons = () => listOf(me.api, 'persons', granted)
    await grantBoth()
    expect(await authenticateAs(api, context), 'with both').toHaveSucceeded('authentication')
    const [asAgent, asEntity] = [await authorizations(), await persons()]
    const path = { permissionId: String(asAgent[0]?.['id']) }
    const ended = await me.api.call('permissions.revokeAuthorization', { path })
    expect(await outcomeOfOperation(me.api, ended)).toHaveSucceeded('operation')
    expect(await authenticateAs(api, context), 'as an entity').toHaveSucceeded('authentication')
    expect(
      (await persons()).map(({ id }) => id),
      'what is left to the entity',
    ).toEqual(asEntity.map(({ id }) => id))
    await grantBoth()
    const again = await authorizations()
    const last = await revoke(me.api, String(asEntity[0]?.['id']))
    expect(await outcomeOfOperation(me.api, last)).toHaveSucceeded('operation')
    expect(await authenticateAs(api, context)).toBeRejected('subject-without-permission')
    expect(
      (await authorizations()).map(({ id }) => id),
      'what is left to the agent',
    ).toEqual(again.map(({ id }) => id))
  },
)

test(
  ...familyRule('permissions.grant.listed', 'held twice', 'named twice in one grant'),
  async ({ login, another }) => {
    const { api } = await login()
    const permissions = ['InvoiceRead', 'Introspection', 'InvoiceRead']
    const body = personGrant(byNip((await another()).nip), permissions)
    const outcome = await outcomeOfOperation(
      api,
      await api.call('permissions.grantPerson', { body }),
    )
    if (!('succeeded' in outcome)) expect(outcome).toBeClientError()
    const isGranted = 'succeeded' in outcome && outcome.succeeded
    const scopes = (await listGranted(api)).map(({ permissionScope }) => permissionScope)
    expect(
      scopes.toSorted(),
      `what is listed once it is ${isGranted ? 'granted' : 'refused'}`,
    ).toEqual(isGranted ? ['Introspection', 'InvoiceRead'] : [])
  },
)

for (const [first, second] of pairs)
  test(
    ...familyRule(
      'permissions.revoke.effective',
      second === 'by test data' ? 'held by test data too' : 'held twice',
      second === 'by test data' ? first : `${first} and ${second}`,
    ),
    async ({ api, login, another }) => {
      const me = await login()
      const office = await another()
      const context = {
        ...office,
        type: me.context.type,
        value: me.context.value,
        document: (challenge: string, options = {}) =>
          office.document(challenge, { ...options, context: byNip(me.context.nip) }),
      }
      const ids = async () =>
        (
          await listOf(me.api, 'persons', { ...granted, authorizedIdentifier: byNip(office.nip) })
        ).map(({ id }) => String(id))
      await grants[first]?.(me, office.nip, api)
      const [one = ''] = await ids()
      await grants[second]?.(me, office.nip, api)
      const both = await ids()
      const held = await login({ context })
      const outcome = await outcomeOfOperation(me.api, await revoke(me.api, one))
      expect(outcome, `the revocation of what is held ${first}`).toHaveSucceeded('operation')
      // A service may keep one entry for both, which then ends as a whole.
      const left = both.filter((id) => id !== one)
      expect(await ids(), 'what is listed after the revocation').toEqual(left)
      const expected = left.length > 0 ? ['InvoiceRead'] : []
      expect(await wrongDecisions(held.api, expected), 'after the revocation').toEqual([])
      for (const id of left) {
        const last = await outcomeOfOperation(me.api, await revoke(me.api, id))
        expect(last, `the revocation of what is held ${second}`).toHaveSucceeded('operation')
      }
      expect(await wrongDecisions(held.api, []), 'after the last revocation').toEqual([])
      expect(await authenticateAs(api, context)).toBeRejected('subject-without-permission')
    },
  )
