import type { Client } from '../../lib/client.ts'
import { poll } from '../../lib/poll.ts'
import { contextWith } from '../support/contexts.ts'
import { rule } from '../support/rule.ts'
import { mintToken } from '../support/service-token.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** Who may make a service token, and who may take one back. */

const stateOf = async (api: Client, referenceNumber: string) =>
  fields(await api.call('tokens.status', { path: { referenceNumber } }))['status']

const revoke = (api: Client, referenceNumber: string) =>
  api.call('tokens.revoke', { path: { referenceNumber } })

const settled = async (api: Client, referenceNumber: string) => {
  const { last } = await poll(
    () => stateOf(api, referenceNumber),
    (status) => status !== 'Revoking',
    { ...api.polling, sleep: api.sleep },
  )
  return last
}

test(...rule('tokens.create.within-rights', 'refused'), async ({ limited, login }) => {
  const me = await limited(['InvoiceRead'])
  const body = { permissions: ['InvoiceRead', 'InvoiceWrite'], description: 'more than its author' }
  expect(await me.api.call('tokens.create', { body })).toBeRefused('token-permissions-lacking')
  const owner = await login()
  const query = { description: 'more than its author' }
  const { tokens } = fields(await owner.api.call('tokens.list', { query }))
  expect(tokens, 'tokens after the refusal').toEqual([])
})

test(...rule('tokens.create.within-rights', 'in no EU context'), async ({ login, own, target }) => {
  test.skip(own.by === 'token', 'the token is one of another context')
  const context = { type: 'NipVatUe', value: `${own.nip}-DE123456789` } as const
  const me = await login({ context: contextWith(context, own.credentials, target.now) })
  const body = { permissions: ['InvoiceRead'], description: 'in the context of an EU entity' }
  expect(await me.api.call('tokens.create', { body })).toBeRefused('token-context-unfit')
})

test(...rule('tokens.create.within-rights', 'accepted'), async ({ limited }) => {
  const me = await limited(['InvoiceRead', 'InvoiceWrite'])
  const { referenceNumber = '' } = await mintToken(me, ['InvoiceWrite'])
  expect(await stateOf(me.api, referenceNumber), 'the state of the token').toBe('Active')
})

for (const [what, body] of [
  ['nothing', { permissions: [], description: 'without permissions' }],
  ['no such permission', { permissions: ['Everything'], description: 'of an unknown kind' }],
  ['no description', { permissions: ['InvoiceRead'] }],
  ['a description too short', { permissions: ['InvoiceRead'], description: 'abcd' }],
] as const) {
  test(...rule('tokens.create.within-rights', `refused, ${what}`), async ({ login }) => {
    const { api } = await login()
    expect(await api.call('tokens.create', { body })).toBeRefused('invalid-input')
  })
}

test(...rule('tokens.revoke.rights', 'by its author'), async ({ limited }) => {
  const me = await limited(['InvoiceRead'])
  const { referenceNumber = '' } = await mintToken(me, ['InvoiceRead'])
  expect(await revoke(me.api, referenceNumber)).toBeOk()
  expect(await settled(me.api, referenceNumber), 'its state').toBe('Revoked')
})

test(...rule('tokens.revoke.rights', 'by who manages credentials'), async ({ limited, login }) => {
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
  expect(await stateOf(me.api, other.referenceNumber ?? ''), 'that of the other').toBe('Active')
})

test(...rule('tokens.revoke.rights', 'refused, who only reads'), async ({ limited, login }) => {
  const me = await login()
  const { referenceNumber = '' } = await mintToken(me)
  const reader = await limited(['CredentialsRead'])
  expect(await revoke(reader.api, referenceNumber)).toBeRefused('missing-permission')
  expect(await stateOf(me.api, referenceNumber), 'its state after the attempt').toBe('Active')
})

test(
  ...rule('tokens.revoke.rights', 'refused, who does not see it'),
  async ({ limited, login, another }) => {
    const me = await login()
    const { referenceNumber = '' } = await mintToken(me)
    const visitor = await limited(['InvoiceRead'])
    const stranger = await login({ context: await another() })
    for (const { api } of [visitor, stranger])
      expect(await revoke(api, referenceNumber)).toBeRefused('token-unknown')
    expect(await stateOf(me.api, referenceNumber), 'its state after the attempts').toBe('Active')
  },
)

test(...rule('tokens.revoke.rights', 'unknown'), async ({ login, unissued }) => {
  const { api } = await login()
  expect(await revoke(api, unissued('serviceToken'))).toBeRefused('token-unknown')
})
