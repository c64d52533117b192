import type { Client } from '../../lib/client.ts'
import { settleAuthentication, startWithToken } from '../../lib/flows/login.ts'
import { poll } from '../../lib/poll.ts'
import { kin } from '../support/callers/kin.ts'
import { rule } from '../support/checks/rule.ts'
import { mintToken, statesUntil, tokenState } from '../support/callers/service-token.ts'
import { expect, test } from '../support/harness/test.ts'

/** Who may make a service token, and who may take one back. */

const revoke = (api: Client, referenceNumber: string) =>
  api.call('tokens.revoke', { path: { referenceNumber } })

const settled = async (api: Client, referenceNumber: string) => {
  const { last } = await poll(
    () => tokenState(api, referenceNumber),
    (status) => status !== 'Revoking',
    { ...api.polling, sleep: api.sleep },
  )
  return last
}

test(...rule('tokens.revoke.rights', 'by its author'), async ({ limited }) => {
  const me = await limited(['InvoiceRead'])
  const { referenceNumber = '' } = await mintToken(me, ['InvoiceRead'])
  expect(await revoke(me.api, referenceNumber)).toBeOk()
  expect(await settled(me.api, referenceNumber), 'its state').toBe('Revoked')
})

test(...rule('tokens.revoke.rights', 'by a credentials manager'), async ({ limited, login }) => {
  const author = await limited(['InvoiceRead'])
  const { referenceNumber = '' } = await mintToken(author, ['InvoiceRead'])
  const manager = await limited(['CredentialsManage'])
  expect(await revoke(manager.api, referenceNumber)).toBeOk()
  expect(await settled((await login()).api, referenceNumber), 'its state').toBe('Revoked')
})

test(...rule('tokens.revoke.rights', 'by itself'), async ({ login }) => {
  const me = await login()
  const [one, other] = [await mintToken(me), await mintToken(me)]
  const byToken = await login({ token: one.token })
  expect(await revoke(byToken.api, other.referenceNumber ?? '')).toBeRefused('token-unknown')
  expect(await revoke(byToken.api, one.referenceNumber ?? '')).toBeOk()
  expect(await settled(me.api, one.referenceNumber ?? ''), 'its state').toBe('Revoked')
  expect(
    await tokenState(me.api, other.referenceNumber ?? ''),
    'the state of the other token',
  ).toBe('Active')
})

test(
  ...rule('tokens.revoke.rights', 'by a credentials manager, with a service token'),
  async ({ limited, login }) => {
    const author = await limited(['InvoiceRead'])
    const { referenceNumber = '' } = await mintToken(author, ['InvoiceRead'])
    const me = await login()
    const manager = await login({ token: (await mintToken(me, ['CredentialsManage'])).token })
    expect(await revoke(manager.api, referenceNumber)).toBeOk()
    expect(await settled(me.api, referenceNumber), 'its state').toBe('Revoked')
  },
)

test(...rule('tokens.revoke.rights', 'by a credentials reader'), async ({ limited, login }) => {
  const me = await login()
  const { referenceNumber = '' } = await mintToken(me)
  const reader = await limited(['CredentialsRead'])
  expect(await revoke(reader.api, referenceNumber)).toBeRefused('missing-permission')
  expect(await tokenState(me.api, referenceNumber), 'its state after the attempt').toBe('Active')
})

test(...rule('tokens.revoke.rights', 'by another caller'), async ({ limited, login, another }) => {
  const me = await login()
  const { referenceNumber = '' } = await mintToken(me)
  const visitor = await limited(['InvoiceRead'])
  const stranger = await login({ context: await another() })
  for (const { api } of [visitor, stranger])
    expect(await revoke(api, referenceNumber)).toBeRefused('token-unknown')
  expect(await tokenState(me.api, referenceNumber), 'its state after the attempts').toBe('Active')
})

test(
  ...rule('tokens.revoke.rights', 'by another caller, the taxpayer of a unit'),
  async ({ login, rng, target }) => {
    const me = await login()
    const unit = await kin.InternalId({ me, login, rng, target })
    const { referenceNumber = '' } = await mintToken(unit, ['InvoiceRead'])
    expect(await revoke(me.api, referenceNumber)).toBeRefused('token-unknown')
    expect(await tokenState(unit.api, referenceNumber), 'its state').toBe('Active')
  },
)

test(...rule('tokens.revoke.rights', 'unknown'), async ({ login, unissued }) => {
  const { api } = await login()
  expect(await revoke(api, unissued('serviceToken'))).toBeRefused('token-unknown')
})

for (const [what, refreshed] of [
  ['never refreshed', false],
  ['refreshed once', true],
] as const)
  test(...rule('tokens.revoke.logins', what), async ({ api, login }) => {
    const me = await login()
    const elder = await login({ token: (await mintToken(me)).token })
    const { token, referenceNumber = '' } = await mintToken(me)
    const byToken = await login({ token })
    const sibling = await login({ token: (await mintToken(me)).token })
    const refresh = () => api.call('auth.refresh', { bearer: byToken.refreshToken })
    if (refreshed) expect(await refresh(), 'before').toBeOk()
    expect(await me.api.call('tokens.revoke', { path: { referenceNumber } })).toBeOk()
    await statesUntil(me.api, referenceNumber, 'Revoked')
    expect(await refresh()).toBeRefused('refresh-refused')
    const again = await api.call('auth.redeem', { bearer: byToken.authenticationToken })
    expect(again, 'a second redemption').toBeRefused('redeem-refused')
    for (const [whose, { refreshToken: bearer }] of [
      ['the login of its author', me],
      ['a login by an earlier token of its author', elder],
      ['a login by a later token of its author', sibling],
    ] as const)
      expect(await api.call('auth.refresh', { bearer }), whose).toBeOk()
  })

test(...rule('tokens.revoke.logins', 'by a manager'), async ({ api, login, limited }) => {
  const me = await login()
  const { token, referenceNumber = '' } = await mintToken(me)
  const byToken = await login({ token })
  const manager = await limited(['CredentialsManage'])
  expect(await revoke(manager.api, referenceNumber), 'its revocation').toBeOk()
  await statesUntil(me.api, referenceNumber, 'Revoked')
  const answer = await api.call('auth.refresh', { bearer: byToken.refreshToken })
  expect(answer).toBeRefused('refresh-refused')
})

test(...rule('tokens.revoke.logins', 'not redeemed'), async ({ api, login }) => {
  const me = await login()
  const { type, value } = me.context
  const start = async (token: string) => {
    const started = await startWithToken(api, { context: { type, value }, token })
    expect(await settleAuthentication(api, started)).toHaveSucceeded('authentication')
    return started.authenticationToken
  }
  const { token, referenceNumber = '' } = await mintToken(me)
  const bearer = await start(token)
  const sibling = await start((await mintToken(me)).token)
  expect(await me.api.call('tokens.revoke', { path: { referenceNumber } })).toBeOk()
  await statesUntil(me.api, referenceNumber, 'Revoked')
  expect(await api.call('auth.redeem', { bearer })).toBeRefused('redeem-refused')
  const other = await api.call('auth.redeem', { bearer: sibling })
  expect(other, 'a login by another token of its author').toBeOk()
})
