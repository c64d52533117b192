import { endpoint } from '../../contract/endpoints.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import { wireOperation } from '../../lib/wire.ts'
import { perform, readyCalls } from '../support/scenes/calls.ts'
import { wrongDecisions } from '../support/callers/decisions.ts'
import { harmless } from '../support/steps/harmless.ts'
import { createAuthority, giveOnly } from '../support/callers/held.ts'
import { heldElsewhere } from '../support/scenes/held-elsewhere.ts'
import { kin } from '../support/callers/kin.ts'
import { holdersOfOne } from '../support/callers/limited.ts'
import {
  covering,
  heldAlone,
  heldSpecially,
  withPermission,
  withoutPermission,
} from '../support/coverage/matrices.ts'
import { offered } from '../support/service/offered.ts'
import { leavesNothing } from '../support/scenes/remembered.ts'
import { rule } from '../support/checks/rule.ts'
import { enterByToken, mintToken } from '../support/callers/service-token.ts'
import { createStage } from '../support/callers/stage.ts'
import { authenticateAs } from '../support/steps/steps.ts'
import { withoutRates } from '../support/service/target.ts'
import { expect, test } from '../support/harness/test.ts'

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

for (const permission of heldAlone)
  test(
    ...rule('permissions.matrix', `${permission}, with every other in another context`),
    async ({ api, login, own, another, rng, target }) => {
      await withoutRates(target)
      const scene = { api, login, own, another, rng, target }
      for (const [how, held] of Object.entries(await heldElsewhere(scene, [permission])))
        expect(
          await wrongDecisions(held.api, [permission], withPermission),
          `${wrong(permission)}, ${how}`,
        ).toEqual([])
    },
  )

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
  async ({ api, own, login, another, invoice, rng, target }) => {
    await withoutRates(target)
    const me = await login()
    const ready = await readyCalls(
      createStage({ me, api, login, another, invoice, rng, target }),
      offered(...withPermission),
    )
    const holders = await holdersOfOne({ api, own, login, rng, target })
    await leavesNothing(me.api, async () => {
      for (const { who, permission, byToken, held } of holders)
        for (const [operation, call] of ready) {
          const { path, permissions } = endpoint(operation)
          // What a path names is found by a token of its owner; a person may be refused as another caller.
          if (permissions?.includes(permission) !== false || byToken !== path.includes('{'))
            continue
          const answer = await perform(held.api, operation, { ...call, by: held.api })
          expect.soft(answer, `${operation} by ${who}`).toBeRefused('missing-permission')
        }
    })
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
