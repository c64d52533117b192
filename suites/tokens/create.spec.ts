import { expectOk } from '../../lib/outcome.ts'
import { contextWith } from '../support/service/contexts.ts'
import { issuedAround } from '../support/steps/filters.ts'
import {
  byNip,
  grantInTest,
  grantPerson,
  listGranted,
  revoke,
  outcomeOfOperation,
} from '../support/callers/grants.ts'
import { heldAlone } from '../support/coverage/matrices.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { listTokens, mintToken, statesUntil } from '../support/callers/service-token.ts'
import { fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

test(...rule('tokens.create.within-rights', 'beyond its author'), async ({ limited, login }) => {
  for (const held of ['InvoiceRead', 'CredentialsManage', 'CredentialsRead', 'SubunitManage']) {
    const me = await limited([held])
    const body = { permissions: [held, 'InvoiceWrite'], description: 'more than its author' }
    expect(await me.api.call('tokens.create', { body }), `with ${held}`).toBeRefused(
      'token-permissions-lacking',
    )
  }
  for (const held of heldAlone) {
    const { api } = await limited([held])
    for (const permission of heldAlone.filter((one) => one !== held)) {
      const body = { permissions: [permission], description: 'more than its author' }
      expect(
        await api.call('tokens.create', { body }),
        `${permission}, with ${held} alone`,
      ).toBeRefused('token-permissions-lacking')
    }
  }
  const reader = await limited(['InvoiceRead'])
  const several = { permissions: ['InvoiceWrite', 'Introspection', 'CredentialsRead'] }
  const body = { ...several, description: 'more than its author' }
  expect(await reader.api.call('tokens.create', { body }), 'several at once').toBeRefused(
    'token-permissions-lacking',
  )
  const owner = await login()
  const query = { description: 'more than its author' }
  const { tokens } = fields(await owner.api.call('tokens.list', { query }))
  expect(tokens, 'tokens after the rejection').toEqual([])
})

test(
  ...rule('tokens.create.within-rights', 'beyond its author, held before or in another context'),
  async ({ api, login, own, another, rng, target }) => {
    test.skip(own.by === 'token', 'the target offers no second person')
    const { subject, context } = personAt(own, rng, target)
    await grantInTest(api, own, subject, ['InvoiceWrite', 'InvoiceRead'])
    // A token that stays, with what its author will not hold any more.
    await mintToken(await login({ context }), ['InvoiceWrite', 'InvoiceRead'])
    const taken = { contextIdentifier: byNip(own.nip), authorizedIdentifier: subject }
    expectOk(await api.call('testdata.revoke', { body: taken }), 'revoke the permissions')
    await grantInTest(api, own, subject, ['InvoiceRead'])
    await grantInTest(api, await another(), subject, ['CredentialsRead'])
    const me = await login({ context })
    for (const permission of ['InvoiceWrite', 'CredentialsRead']) {
      const body = { permissions: [permission], description: 'not held here' }
      expect(await me.api.call('tokens.create', { body }), permission).toBeRefused(
        'token-permissions-lacking',
      )
    }
  },
)

test(
  ...rule('tokens.create.within-rights', 'beyond its author, revoked since its login'),
  async ({ login, own, rng, target }) => {
    test.skip(own.by === 'token', 'the target offers no second person')
    const owner = await login()
    const { subject, context } = personAt(own, rng, target)
    await grantPerson(owner.api, subject, ['InvoiceWrite', 'InvoiceRead'])
    const me = await login({ context })
    const create = (permission: string) => {
      const body = { permissions: [permission], description: 'by a token from before' }
      return me.api.call('tokens.create', { body })
    }
    expect(await create('InvoiceWrite'), 'while it holds').toBeOk()
    const granted = await listGranted(owner.api)
    const id = granted.find(({ permissionScope }) => permissionScope === 'InvoiceWrite')?.id
    const ended = await outcomeOfOperation(owner.api, await revoke(owner.api, String(id)))
    expect(ended, 'the revocation').toHaveSucceeded('operation')
    expect(await create('InvoiceWrite'), 'revoked').toBeRefused('token-permissions-lacking')
    expect(await create('InvoiceRead'), 'kept').toBeOk()
  },
)

test(...rule('tokens.create.within-rights', 'in an EU context'), async ({ login, own, target }) => {
  test.skip(own.by === 'token', 'the service token belongs to another context')
  const context = { type: 'NipVatUe', value: `${own.nip}-DE123456789` } as const
  const me = await login({ context: contextWith(context, own.credentials, target.now) })
  const body = { permissions: ['InvoiceRead'], description: 'in the context of an EU entity' }
  expect(await me.api.call('tokens.create', { body })).toBeRefused('token-context-unfit')
  expect(await listTokens(me.api), 'tokens after the rejection').toEqual([])
})

test(...rule('tokens.create.within-rights', 'within its author'), async ({ limited }) => {
  const me = await limited(['InvoiceRead', 'InvoiceWrite'])
  const body = { permissions: ['InvoiceWrite'], description: 'within its author' }
  const created = await me.api.call('tokens.create', { body })
  expect(created).toBeOk()
  const seen = await statesUntil(me.api, String(fields(created)['referenceNumber']), 'Active')
  expect(seen.at(-1), 'the state of the token').toBe('Active')
  const again = await me.api.call('tokens.create', { body })
  expect(again, 'the same request again').toBeOk()
  for (const field of ['referenceNumber', 'token'])
    expect(fields(again)[field], `the ${field} of another token`).not.toBe(fields(created)[field])
})

test(
  ...rule('tokens.create.within-rights', 'within its author, a login by the token'),
  async ({ limited, login, clock }) => {
    const me = await limited(['InvoiceRead', 'InvoiceWrite'])
    const { token } = await mintToken(me, ['InvoiceWrite'])
    const { api } = await login({ context: me.context, token })
    const search = await api.call('queries.metadata', { body: issuedAround(clock.now()) })
    expect(search).toBeRefused('missing-permission')
  },
)

test(
  ...rule('tokens.create.within-rights', 'beyond its author, a login by a token'),
  async ({ login }) => {
    const { token, context } = await mintToken(await login(), ['CredentialsManage', 'InvoiceRead'])
    const { api } = await login({ context, token })
    const create = (permissions: readonly string[]) =>
      api.call('tokens.create', { body: { permissions, description: 'by another token' } })
    expect(await create(['InvoiceRead']), 'within that token').toBeOk()
    expect(await create(['InvoiceRead', 'InvoiceWrite'])).toBeRefused('token-permissions-lacking')
  },
)

for (const [what, body] of [
  ['no permission', { permissions: [], description: 'without permissions' }],
  ['unknown permission', { permissions: ['Everything'], description: 'of an unknown kind' }],
  ['no description', { permissions: ['InvoiceRead'] }],
  ['short description', { permissions: ['InvoiceRead'], description: 'abcd' }],
] as const) {
  test(...rule('tokens.create.within-rights', `invalid request, ${what}`), async ({ login }) => {
    const { api } = await login()
    expect(await api.call('tokens.create', { body })).toBeRefused('invalid-input')
  })
}
