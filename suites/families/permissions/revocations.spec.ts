import { randomUUID } from 'node:crypto'
import { endpoint, operationIds } from '../../../contract/endpoints.ts'
import type { Client } from '../../../lib/client.ts'
import { perform, readyCalls } from '../../support/scenes/calls.ts'
import type { Me } from '../../support/service/contexts.ts'
import { wrongDecisions } from '../../support/callers/decisions.ts'
import {
  authorizationGrant,
  byNip,
  grantBy,
  outcomeOfOperation,
  revoke,
} from '../../support/callers/grants.ts'
import { expectTakenBack, give, holdOnly, idOf } from '../../support/callers/held.ts'
import { ways } from '../../support/callers/holdings.ts'
import type { WayName } from '../../support/callers/holdings.ts'
import { heldAlone, heldSpecially, withPermission } from '../../support/coverage/matrices.ts'
import { offered } from '../../support/service/offered.ts'
import { only } from '../../support/steps/packages.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { createStage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Revocations: what a revoked permission still opens, and who may not revoke what. */

const all = [...heldAlone, ...heldSpecially]

/** A permission that a holder keeps, and that allows nothing of what the revoked one allows. */
const left = (permission: string): string =>
  permission === 'VatUeManage'
    ? 'InvoiceWrite'
    : /^(Credentials|Subunit)/.test(permission)
      ? 'InvoiceRead'
      : 'CredentialsRead'

for (const permission of all)
  test(
    ...familyRule('permissions.revoke.effective', 'revoked permission', permission),
    async ({ api, login, another, rng, target }) => {
      const scene = { api, me: await login(), login, another, rng, target }
      const kept = left(permission)
      const { way, holder, held } = await holdOnly(scene, [permission, kept])
      await expectTakenBack(way, holder, permission)
      expect(
        await wrongDecisions(held.api, [kept], withPermission),
        `operations with a wrong decision when ${permission} is revoked and ${kept} is left`,
      ).toEqual([])
    },
  )

/** The permission of an entity to act for another has a separate operation for its revocation. */
const revokeAuthorization = (api: Client, permissionId: string) =>
  api.call('permissions.revokeAuthorization', { path: { permissionId } })

test(
  ...familyRule(
    'permissions.revoke.effective',
    'revoked permission',
    'by a service token of the holder',
  ),
  async ({ api, login, another, rng, target }) => {
    const [permission, kept] = ['InvoiceWrite', 'InvoiceRead']
    const scene = { api, me: await login(), login, another, rng, target }
    const { way, holder, held } = await holdOnly(scene, [permission, kept])
    const { token } = await mintToken(held, [permission, kept])
    const before = await login({ context: holder.context, token })
    await expectTakenBack(way, holder, permission)
    const after = await login({ context: holder.context, token })
    for (const [when, me] of [
      ['before', before],
      ['after', after],
    ] as const)
      expect(
        await wrongDecisions(me.api, [kept], withPermission),
        `operations with a wrong decision by a login ${when} the revocation`,
      ).toEqual([])
  },
)

test(
  ...familyRule('permissions.revoke.effective', 'revoked permission', 'in a new service token'),
  async ({ api, login, another, rng, target }) => {
    const [permission, kept] = ['InvoiceWrite', 'InvoiceRead']
    const scene = { api, me: await login(), login, another, rng, target }
    const { way, holder, held } = await holdOnly(scene, [permission, kept])
    await expectTakenBack(way, holder, permission)
    const create = (...permissions: readonly string[]) =>
      held.api.call('tokens.create', { body: { permissions, description: 'after a revocation' } })
    expect(await create(permission, kept)).toBeRefused('token-permissions-lacking')
    expect(await create(kept), 'with the permission that is left').toBeOk()
  },
)

const taken = ['InvoiceWrite', 'InvoiceRead'] as const

/** Operations on a resource that these permissions allow. */
const onOwnWork = operationIds.filter((id) => {
  const { path, permissions = [] } = endpoint(id)
  return path.includes('{') && permissions.some((one) => taken.some((held) => held === one))
})

test(
  ...familyRule('permissions.revoke.effective', 'revoked permission', 'on what the holder began'),
  async ({ api, login, another, invoice, rng, target }) => {
    const scene = { api, me: await login(), login, another, rng, target }
    const { way, holder, held } = await holdOnly(scene, [...taken, 'CredentialsRead'])
    // Without the permission, a caller has no access even to a session or an export that it started itself.
    const stage = createStage({ ...scene, me: held, invoice })
    const ready = await readyCalls(stage, offered(...onOwnWork))
    for (const permission of taken) await expectTakenBack(way, holder, permission)
    for (const [operation, call] of ready)
      expect(
        await perform(held.api, operation, call),
        `${operation}, on what its caller began`,
      ).toBeRefused('missing-permission')
  },
)

/** Expects that exactly one of two managers who revoke a permission at the same moment succeeds. */
const expectOneRevocation = async (
  ask: typeof revoke,
  managers: readonly [Client, Client],
  id: string,
): Promise<void> => {
  const asked = await Promise.all(
    managers.map(async (api) => ({ api, answer: await ask(api, id) })),
  )
  const outcomes = await Promise.all(
    asked.map(({ api, answer }) => outcomeOfOperation(api, answer)),
  )
  const succeeded = outcomes.filter((one) => 'succeeded' in one && one.succeeded)
  expect(succeeded.length, 'revocations at the same moment that succeed').toBe(1)
  for (const other of outcomes.filter((one) => !succeeded.includes(one)))
    expect(other).toBeRejected('permission-already-revoked')
}

/** Whether a grant appoints the administrator of a unit: whoever may appoint administrators can also revoke it. */
const isOverUnit = (name: WayName): boolean => /^administrator of a .*(unit|member)$/.test(name)

/** Permissions that revoke a kind of grant. */
const sufficient = (name: WayName): readonly string[] =>
  name.startsWith('administrator') ? ['CredentialsManage', 'SubunitManage'] : ['CredentialsManage']

for (const name of Object.keys(ways) as WayName[])
  test(
    ...familyRule('permissions.revoke.refusals', 'kind of revocation', name),
    async ({ api, login, another, limited, rng, target }) => {
      const me = await login()
      const way = await ways[name]({ api, me, login, another, rng, target })
      const { permissions, grantor } = way
      const holder = await way.someone()
      await give(holder, permissions)
      const within = await login({ context: holder.context })
      const permission = permissions.at(-1) ?? ''
      const id = await idOf(way, holder, permission)
      const visitor = await limited(heldAlone.filter((one) => !sufficient(name).includes(one)))
      const without: readonly Me[] = [
        ...(grantor === me ? [visitor] : []),
        ...(permissions.includes('CredentialsManage') ? [] : [within]),
      ]
      const outside = [
        await another(),
        ...(way.clients ?? []),
        ...(holder.home ? [holder.home] : []),
      ]
      for (const { api: by } of without)
        expect(await outcomeOfOperation(by, await revoke(by, id))).toBeRejected(
          'missing-permission',
        )
      for (const context of outside) {
        const { api: by } = await login({ context })
        expect(await outcomeOfOperation(by, await revoke(by, id))).toBeRejected(
          'permission-no-access',
        )
      }
      const asAuthorization = await revokeAuthorization(grantor.api, id)
      expect(await outcomeOfOperation(grantor.api, asAuthorization)).toBeRejected(
        grantor === me ? 'permission-unknown' : 'missing-permission',
      )
      expect(await idOf(way, holder, permission), 'the permission in the list').toBe(id)
      expect(await wrongDecisions(within.api, permissions), 'what the holder may do').toEqual([])
      const manager = grantor === me ? await limited(['CredentialsManage']) : grantor
      const second = isOverUnit(name) ? await limited(['SubunitManage']) : grantor
      await expectOneRevocation(revoke, [manager.api, second.api], id)
      const again = await outcomeOfOperation(grantor.api, await revoke(grantor.api, id))
      expect(again).toBeRejected('permission-already-revoked')
    },
  )

test(
  ...familyRule('permissions.revoke.refusals', 'kind of revocation', 'authorization'),
  async ({ login, another, limited, own }) => {
    const { api } = await login()
    const agent = await login({ context: await another() })
    const subject = byNip(agent.context.nip)
    await grantBy(
      api,
      'permissions.grantAuthorization',
      authorizationGrant(subject, 'SelfInvoicing'),
    )
    const listed = () => listOf(api, 'authorizations', { queryType: 'Granted' })
    const id = String(only(await listed())['id'])
    const visitor = await limited(heldAlone.filter((one) => one !== 'CredentialsManage'))
    const stranger = await login({ context: await another() })
    for (const [by, refusal] of [
      [visitor.api, 'missing-permission'],
      [agent.api, 'permission-no-access'],
      [stranger.api, 'permission-no-access'],
    ] as const)
      expect(await outcomeOfOperation(by, await revokeAuthorization(by, id))).toBeRejected(refusal)
    expect(await outcomeOfOperation(api, await revoke(api, id))).toBeRejected('permission-unknown')
    const unknown = await revokeAuthorization(api, randomUUID())
    expect(await outcomeOfOperation(api, unknown)).toBeRejected('permission-unknown')
    expect(only(await listed())['id'], `the authorization that ${own.nip} granted`).toBe(id)
    const manager = await limited(['CredentialsManage'])
    await expectOneRevocation(revokeAuthorization, [manager.api, api], id)
    for (const [by, queryType] of [
      [api, 'Granted'],
      [agent.api, 'Received'],
    ] as const)
      expect(await listOf(by, 'authorizations', { queryType }), queryType).toEqual([])
    const again = await outcomeOfOperation(api, await revokeAuthorization(api, id))
    expect(again).toBeRejected('permission-already-revoked')
  },
)
