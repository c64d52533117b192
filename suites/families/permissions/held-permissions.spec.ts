import { refreshAccess } from '../../../lib/flows/login.ts'
import { openOnline } from '../../../lib/flows/session.ts'
import { wrongDecisions } from '../../support/callers/decisions.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { authorizeSelfInvoicing } from '../../support/callers/grants.ts'
import {
  expectGiven,
  expectTakenBack,
  give,
  isGiven,
  takeBack,
} from '../../support/callers/held.ts'
import { ways } from '../../support/callers/holdings.ts'
import type { Holder, WayName } from '../../support/callers/holdings.ts'
import { selfInvoiced } from '../../support/documents/parties.ts'
import { listOf } from '../../support/callers/permission-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { authenticateAs, outcomeOfInvoice } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Permissions take effect and end in every way in which they are held. */

const family = 'way to hold permissions'

for (const name of Object.keys(ways) as WayName[]) {
  test(
    ...familyRule('permissions.grant.effective', family, name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const way = await ways[name]({ api, me, login, another, rng, target })
      const { permissions, beside } = way
      const enter = async ({ context }: Holder, held: readonly string[]) => {
        const outcome = await authenticateAs(api, context)
        expect(outcome, `a login with ${held.join(', ')}`).toHaveSucceeded('authentication')
        return (await login({ context })).api
      }
      const decisionsOf = async (someone: Holder, held: readonly string[]) =>
        wrongDecisions(await enter(someone, held), held)
      const [holder, colleague] = [await way.someone(), await way.someone()]
      expect(await authenticateAs(api, holder.context)).toBeRejected('subject-without-permission')
      const first = way.together === true ? permissions : permissions.slice(0, 1)
      await expectGiven(holder, first)
      const entered = await enter(holder, first)
      expect(await wrongDecisions(entered, first), `with ${first.join(', ')}`).toEqual([])
      await expectGiven(colleague, permissions)
      const rest = permissions.filter((permission) => !first.includes(permission))
      if (rest.length > 0) {
        await expectGiven(holder, rest)
        const decided = await wrongDecisions(entered, permissions)
        expect(decided, 'of the existing token').toEqual([])
      }
      expect(await decisionsOf(holder, permissions), 'granted in turn, beside another').toEqual([])
      expect(await decisionsOf(colleague, permissions), 'granted together').toEqual([])
      if (way.together === true) {
        const { api: mine } = await login({ context: holder.context })
        const scopes = (await listOf(mine, 'personal')).map(({ permissionScope }) =>
          String(permissionScope),
        )
        expect(new Set(scopes), 'what is granted as a whole').toEqual(new Set(permissions))
      }
      for (const context of beside)
        expect(
          await authenticateAs(api, holder.context, { context }),
          `in ${context.type} ${context.value}`,
        ).toBeRejected('subject-without-permission')
    },
  )

  test(
    ...familyRule('permissions.grant.effective', family, `${name}, granted again`),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const way = await ways[name]({ api, me, login, another, rng, target })
      const { permissions } = way
      const holder = await way.someone()
      await give(holder, permissions)
      for (const permission of permissions) await takeBack(way, holder, permission)
      // A grant may include a permission that is already held: all of the grant takes effect, or it fails.
      const [first] = permissions
      if (way.together !== true) await expectGiven(holder, [first])
      if (permissions.length === 1 || way.together === true) await expectGiven(holder, permissions)
      else if (!(await isGiven(holder, permissions)))
        await expectGiven(holder, permissions.slice(1))
      const outcome = await authenticateAs(api, holder.context)
      expect(outcome, 'after it was granted again').toHaveSucceeded('authentication')
      const again = await login({ context: holder.context })
      expect(await wrongDecisions(again.api, permissions), 'granted again').toEqual([])
    },
  )

  test(
    ...familyRule('permissions.revoke.effective', family, name),
    async ({ api, login, another, rng, target }) => {
      const me = await login()
      const way = await ways[name]({ api, me, login, another, rng, target })
      const { permissions } = way
      const [holder, colleague] = [await way.someone(), await way.someone()]
      await give(holder, permissions)
      await give(colleague, permissions)
      const before = await login({ context: holder.context })
      const other = await login({ context: colleague.context })
      const decisions = (mine: typeof api, held: readonly string[]) => wrongDecisions(mine, held)
      const [last = '', ...rest] = permissions.toReversed()
      await expectTakenBack(way, holder, last)
      expect(await decisions(before.api, rest), 'of the existing token').toEqual([])
      if (rest.length > 0) {
        const { accessToken } = await refreshAccess(before.api, before.refreshToken)
        const refreshed = before.api.with({ ...before.api.identity, bearer: accessToken })
        expect(await decisions(refreshed, rest), 'of a refreshed token').toEqual([])
        const again = await login({ context: holder.context })
        expect(await decisions(again.api, rest), 'of a new login').toEqual([])
      }
      for (const permission of rest) await expectTakenBack(way, holder, permission)
      expect(await decisions(before.api, []), 'when nothing is left').toEqual([])
      expect(await authenticateAs(api, holder.context)).toBeRejected('subject-without-permission')
      expect(await decisions(other.api, permissions), 'of another holder').toEqual([])
    },
  )
}

test(
  ...familyRule('permissions.grant.effective', family, 'authorization'),
  async ({ login, another, invoice }) => {
    const seller = await login()
    const [agent, other] = [
      await login({ context: await another() }),
      await login({ context: await another() }),
    ]
    const send = async ({ api }: typeof seller) => {
      const session = await openOnline(api, { formCode: formCodes.fa3 })
      return outcomeOfInvoice({ api, session }, selfInvoiced(invoice().bytes))
    }
    expect(await send(agent)).toBeRejected('seller-not-allowed')
    await authorizeSelfInvoicing(seller.api, agent.context.nip)
    expect(await send(agent), 'with the authorization').toHaveSucceeded('invoice')
    expect(await send(other)).toBeRejected('seller-not-allowed')
  },
)
