import { endpoint } from '../../contract/endpoints.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import { wireOperation } from '../../lib/wire.ts'
import { expectNothingDone, guarded, readyChanges } from '../support/changing.ts'
import { wrongDecisions } from '../support/decisions.ts'
import { harmless } from '../support/harmless.ts'
import { createAuthority, giveOnly } from '../support/held.ts'
import { kin } from '../support/kin.ts'
import {
  covering,
  heldAlone,
  heldSpecially,
  withPermission,
  withoutPermission,
} from '../support/matrices.ts'
import { offered } from '../support/offered.ts'
import { rule } from '../support/rule.ts'
import { enterByToken, mintToken } from '../support/service-token.ts'
import { createStage } from '../support/stage.ts'
import { authenticateAs } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** Permissions that only some contexts or dialects know, and that a token can carry. */
const carriedSpecially = heldSpecially.filter((permission) => permission !== 'VatUeManage')

const wrong = (permission: string) => `operations with a wrong decision for ${permission} alone`

for (const permission of heldAlone) {
  const covers = covering('permission', { column: permission })
  test(...rule('permissions.matrix', permission, covers), async ({ limited }) => {
    const { api } = await limited([permission])
    const operations = [...withPermission, ...withoutPermission]
    expect(await wrongDecisions(api, [permission], operations), wrong(permission)).toEqual([])
  })
}

for (const permission of heldSpecially) {
  const covers = covering('permission', { column: permission })
  test(
    ...rule('permissions.matrix', permission, covers),
    async ({ api, login, another, rng, target }) => {
      const scene = { api, me: await login(), login, another, rng, target }
      const { context } = (await giveOnly(scene, [permission])).holder
      const entered = await authenticateAs(api, context)
      expect(entered, `a login with ${permission} alone`).toHaveSucceeded('authentication')
      const held = await login({ context })
      expect(
        await wrongDecisions(held.api, [permission], withPermission),
        wrong(permission),
      ).toEqual([])
    },
  )
}

test(...rule('permissions.matrix', 'owner'), async ({ login }) => {
  const { api } = await login()
  const refused: string[] = []
  for (const operation of offered(...withPermission)) {
    const needed: readonly string[] = endpoint(operation).permissions ?? []
    if (!heldAlone.some((permission) => needed.includes(permission))) continue
    const { status } = await api.call(operation, harmless(operation))
    if (status === 403) refused.push(`${operation} answered ${status}`)
  }
  expect(refused, 'operations that reject the owner of the context').toEqual([])
})

test(
  ...rule('permissions.matrix', 'nothing done'),
  async ({ api, login, another, invoice, rng, target, limited }) => {
    const me = await login()
    const ready = await readyChanges(
      createStage({ me, api, login, another, invoice, rng, target }),
      guarded,
    )
    // Opens none of these operations.
    const { api: reader } = await limited(['CredentialsRead'])
    await expectNothingDone(me.api, reader, ready, 'missing-permission')
  },
)

// A token of an authority, which has every permission that a token can carry: what the token omits must stay closed.
for (const permission of [...heldAlone, ...carriedSpecially])
  test(
    ...rule('permissions.matrix', `service token, ${permission}`),
    async ({ api, login, own, target }) => {
      if (permission === 'CollectiveIdentifierManage')
        wireOperation('invoices.createCollective', target.dialect)
      await createAuthority(api, own.nip)
      const { token } = await mintToken(await login(), [permission])
      const entered = await enterByToken(api, own, token)
      expect(entered, `a login by a token with ${permission}`).toHaveSucceeded('authentication')
      const { api: within } = await login({ token })
      expect(
        await wrongDecisions(within, [permission], withPermission),
        `operations with a wrong decision for a service token with ${permission}`,
      ).toEqual([])
    },
  )

test(...rule('permissions.matrix', 'service token, refreshed'), async ({ login }) => {
  const { token } = await mintToken(await login(), ['InvoiceRead'])
  const { api, refreshToken } = await login({ token })
  const { accessToken } = await refreshAccess(api, refreshToken)
  expect(
    await wrongDecisions(
      api.with({ ...api.identity, bearer: accessToken }),
      ['InvoiceRead'],
      withPermission,
    ),
    'operations with a wrong decision after a refresh',
  ).toEqual([])
})

test(...rule('permissions.matrix', 'service token'), async ({ serviceToken, login }) => {
  const { token, context, referenceNumber } = await serviceToken()
  test.skip(referenceNumber === undefined, 'the permissions of the only service token are unknown')
  const { api } = await login({ token, context })
  expect(
    await wrongDecisions(api, ['InvoiceRead', 'InvoiceWrite'], withPermission),
    'operations with a wrong decision for a service token',
  ).toEqual([])
})

test(...rule('permissions.matrix', 'service token, in a unit'), async ({ login, rng, target }) => {
  const me = await kin.InternalId({ me: await login(), login, rng, target })
  for (const permission of ['InvoiceRead', 'InvoiceWrite', 'Introspection'] as const) {
    const { token } = await mintToken(me, [permission])
    const { api } = await login({ context: me.context, token })
    expect(
      await wrongDecisions(api, [permission], withPermission),
      `operations with a wrong decision for a service token of a unit with ${permission}`,
    ).toEqual([])
  }
})
