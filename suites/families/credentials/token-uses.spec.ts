import { limits } from '../../../contract/limits.ts'
import { contextKey, loginWithDocument } from '../../../lib/flows/login.ts'
import { createContexts } from '../../support/service/context-source.ts'
import { heldAlone } from '../../support/coverage/matrices.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { enterByToken, mintToken, statesUntil } from '../../support/callers/service-token.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Service tokens over their lifetime: each by its own dates, whatever it may do, and none after the end of them all. */

const hour = 3_600_000
const day = 24 * hour

/** The end of the last day of service tokens, in Warsaw. */
const end = Date.parse('2026-12-31T23:00:00Z')

test(
  ...familyRule('auth.token.accepted', 'use of a service token', 'with each permission alone'),
  async ({ api, login }) => {
    const me = await login()
    test.skip(me.context.by === 'token', 'the token of the target carries its own permissions')
    for (const permission of heldAlone) {
      const { token, context } = await mintToken(me, [permission])
      const outcome = await enterByToken(api, context, token)
      expect(outcome, `a token with ${permission}`).toHaveSucceeded('authentication')
    }
  },
)

test(
  ...familyRule('auth.token.expired-refused', 'use of a service token', 'the older of two'),
  async ({ api, login, clock }) => {
    const made = Date.parse('2025-10-01T08:00:00Z')
    await clock.set(made)
    const older = await mintToken(await login())
    await clock.set(made + 30 * day)
    const newer = await mintToken(await login())
    await clock.set(made + limits['serviceToken.days'].value * day + hour)
    const refused = await enterByToken(api, older.context, older.token)
    expect(refused, 'the older one').toBeRejected('token-refused')
    const outcome = await enterByToken(api, newer.context, newer.token)
    expect(outcome, 'the newer one').toHaveSucceeded('authentication')
    const again = await enterByToken(api, older.context, older.token)
    expect(again, 'the older one, after a use of the newer').toBeRejected('token-refused')
  },
)

test(
  ...familyRule('auth.token.sunset', 'use of a service token', 'made after the end'),
  async ({ api, login, clock }) => {
    for (const later of [day, 200 * day, 400 * day]) {
      await clock.set(end + later)
      const me = await login()
      const body = { permissions: ['InvoiceRead'], description: 'after the end of tokens' }
      const made = await me.api.call('tokens.create', { body })
      // The contract does not specify whether tokens can be created that open nothing.
      test.skip(made.status > 299, 'the target creates no tokens any more')
      const { referenceNumber, token } = fields(made)
      await statesUntil(me.api, String(referenceNumber), 'Active')
      const outcome = await enterByToken(api, me.context, String(token))
      expect(outcome, `${later / day} days after the end`).toBeRejected('token-refused')
    }
  },
)

test(
  ...familyRule('auth.token.sunset', 'use of a service token in another environment', 'production'),
  async ({ inEnvironment, ledger, rng }) => {
    const target = await inEnvironment('production')
    await target.management?.set(end - day)
    const context = await createContexts(target, rng)()
    const api = target.client(ledger.record)
    const { accessToken: bearer, ...login } = await loginWithDocument(api, {
      sign: (challenge) => context.document(challenge),
    })
    const mine = api.with({ bearer, context: contextKey(context) })
    const { token } = await mintToken({ ...login, accessToken: bearer, api: mine, context })
    const before = await enterByToken(api, context, token)
    expect(before, 'on the last day').toHaveSucceeded('authentication')
    await target.management?.set(end + hour)
    expect(await enterByToken(api, context, token)).toBeRejected('token-refused')
  },
)
