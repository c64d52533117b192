import type { Client } from '../../../lib/client.ts'
import { expectOk, expectText } from '../../../lib/outcome.ts'
import type { Me } from '../../support/service/contexts.ts'
import { hold } from '../../support/scenes/delayed.ts'
import { heldAlone } from '../../support/coverage/matrices.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { familyRule } from '../../support/checks/rule.ts'
import {
  enterByToken,
  mintToken,
  statesUntil,
  tokenState,
} from '../../support/callers/service-token.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A service token is usable in one of its states, and keeps the date of its creation in all of them. */

interface Created {
  readonly token: string
  readonly referenceNumber: string
}

const create = async ({ api }: Me, description: string): Promise<Created> => {
  const body = { permissions: ['InvoiceRead'], description }
  const made = await api.call('tokens.create', { body })
  return {
    token: expectText(made, description, 'token'),
    referenceNumber: expectText(made, description, 'referenceNumber'),
  }
}

const revoke = async ({ api }: Me, { referenceNumber }: Created) =>
  expectOk(await api.call('tokens.revoke', { path: { referenceNumber } }), 'revoke a token')

const enter = (api: Client, { context }: Me, { token }: Created) =>
  enterByToken(api, context, token)

/** Brings a token to a state in which it is not usable; where it cannot be held there, the state may pass unseen. */
const states: Readonly<
  Record<string, (me: Me, holdTokens: () => Promise<unknown>) => Promise<Created>>
> = {
  async Pending(me, holdTokens) {
    await holdTokens()
    return create(me, 'used at once')
  },
  async Revoking(me, holdTokens) {
    const created = await create(me, 'used while it is revoked')
    await statesUntil(me.api, created.referenceNumber, 'Active')
    await holdTokens()
    await revoke(me, created)
    return created
  },
}

for (const [state, bring] of Object.entries(states))
  test(
    ...familyRule('auth.token.unusable-refused', 'state of a service token', state),
    async ({ api, login, target, clock }) => {
      const me = await login()
      const created = await bring(me, () => hold({ target, clock }, 'token'))
      const outcome = await enter(api, me, created)
      const now = await tokenState(me.api, created.referenceNumber)
      // A token that has become active meanwhile may have been so when the service looked at it.
      if (now === 'Active') expect(state, 'the state before it was active').toBe('Pending')
      else
        expect(outcome, `a login by a token that is ${String(now)}`).toBeRejected('token-refused')
    },
  )

interface Revokers {
  readonly login: Fixtures['login']
  readonly limited: Fixtures['limited']
  readonly author: Me
  readonly token: string
}

/** Everyone who may revoke a token. */
const revokers: Readonly<Record<string, (scene: Revokers) => Promise<Me>>> = {
  'its author': ({ author }) => Promise.resolve(author),
  'a manager': ({ limited }) => limited(['CredentialsManage']),
  'a login by the token': ({ login, token }) => login({ token }),
  async 'a manager with a token of its own'({ login }) {
    const { token } = await mintToken(await login(), ['CredentialsManage'])
    return login({ token })
  },
}

for (const [who, revokerOf] of Object.entries(revokers))
  test(
    ...familyRule('auth.token.unusable-refused', 'revoker of a service token', who),
    async ({ api, login, limited }) => {
      const author = await limited(['InvoiceRead'])
      const created = await mintToken(author, ['InvoiceRead'])
      const { token, referenceNumber = '' } = created
      const before = await login({ token })
      const revoker = await revokerOf({ login, limited, author, token })
      await revoke(revoker, { token, referenceNumber })
      await statesUntil((await login()).api, referenceNumber, 'Revoked')
      expect(await enter(api, author, { token, referenceNumber })).toBeRejected('token-refused')
      const refreshed = await api.call('auth.refresh', { bearer: before.refreshToken })
      expect(refreshed, 'of a login before').toBeRefused('refresh-refused')
    },
  )

test(
  ...familyRule('tokens.revoke.rights', 'revoker of a service token', 'a manager, while Pending'),
  async ({ login, limited, clock }) => {
    const author = await limited(['InvoiceRead'])
    const manager = await limited(['CredentialsManage'])
    await clock.still()
    const { referenceNumber } = await create(author, 'revoked by a manager')
    const path = { referenceNumber }
    expect(await manager.api.call('tokens.revoke', { path })).toBeOk()
    await clock.advance(60_000)
    const seen = await statesUntil((await login()).api, referenceNumber, 'Revoked')
    expect(seen.at(-1), 'its state after its revocation').toBe('Revoked')
  },
)

test(
  ...familyRule('tokens.status.described', 'state of a service token', 'each permission'),
  async ({ login }) => {
    const me = await login()
    for (const permission of heldAlone) {
      const body = { permissions: [permission], description: `carries ${permission}` }
      const made = await me.api.call('tokens.create', { body })
      const referenceNumber = expectText(made, 'create a token', 'referenceNumber')
      const answer = await me.api.call('tokens.status', { path: { referenceNumber } })
      expect(fields(answer)['requestedPermissions'], `of a token with ${permission}`).toEqual([
        permission,
      ])
    }
  },
)

test(
  ...familyRule('tokens.status.described', 'state of a service token', 'the date of its creation'),
  async ({ login, clock }) => {
    const me = await login()
    await clock.still()
    const created = await create(me, 'dated')
    const { referenceNumber } = created
    const dated = async () => {
      const answer = await me.api.call('tokens.status', { path: { referenceNumber } })
      return Date.parse(String(fields(answer)['dateCreated']))
    }
    const first = await dated()
    await clock.advance(60_000)
    await statesUntil(me.api, referenceNumber, 'Active')
    expect(await dated(), 'its creation, when it is active').toBe(first)
    await clock.advance(60_000)
    await revoke(me, created)
    expect(await dated(), 'its creation, while it is revoked').toBe(first)
    await statesUntil(me.api, referenceNumber, 'Revoked')
    expect(await dated(), 'its creation, when it is revoked').toBe(first)
  },
)
