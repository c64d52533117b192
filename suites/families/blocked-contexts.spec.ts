import type { Client } from '../../lib/client.ts'
import type { Context } from '../../lib/flows/login.ts'
import { fetchChallenge, tokenLoginBody } from '../../lib/flows/login.ts'
import { expectOk } from '../../lib/outcome.ts'
import type { Me } from '../support/contexts.ts'
import { kin } from '../support/kin.ts'
import { familyRule } from '../support/rule.ts'
import { mintToken } from '../support/service-token.ts'
import { authenticateAs, outcomeOfAuthentication } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

/** A block holds for one context, of whatever kind, and for every credential. */

const kinds = ['Nip', 'InternalId', 'NipVatUe'] as const

const change = async (
  api: Client,
  operation: 'testdata.blockContext' | 'testdata.unblockContext',
  { type, value }: Context,
) =>
  expectOk(await api.call(operation, { body: { contextIdentifier: { type, value } } }), operation)

const byToken = async (api: Client, { context: { type, value } }: Me, token: string) => {
  const login = { context: { type, value }, token }
  const body = await tokenLoginBody(api, login, await fetchChallenge(api))
  return outcomeOfAuthentication(api, await api.call('auth.token', { body }))
}

for (const kind of kinds)
  for (const credential of kind === 'NipVatUe' ? ['document'] : ['document', 'token'])
    test(
      ...familyRule(
        'testdata.blocks',
        credential === 'token' ? 'blocked context of a token' : 'blocked context',
        `${kind} by ${credential}`,
      ),
      async ({ api, login, another, rng, target }) => {
        const me = await login()
        const family = {
          Nip: me,
          InternalId: await kin.InternalId({ me, login, rng, target }),
          NipVatUe: await kin.NipVatUe({ me, login, rng, target }),
        }
        const blocked = family[kind]
        const { token } =
          credential === 'token' ? await mintToken(blocked, ['InvoiceRead']) : { token: '' }
        const enter = () =>
          credential === 'token'
            ? byToken(api, blocked, token)
            : authenticateAs(api, blocked.context)
        const stranger = await another()
        await change(api, 'testdata.blockContext', stranger)
        expect(await enter(), 'while another is blocked').toHaveSucceeded('authentication')
        await change(api, 'testdata.blockContext', blocked.context)
        expect(await enter()).toBeRejected('context-blocked')
        for (const relative of kinds)
          if (relative !== kind)
            expect(
              await authenticateAs(api, family[relative].context),
              `${relative} of the same taxpayer`,
            ).toHaveSucceeded('authentication')
        const relative = family[kind === 'InternalId' ? 'Nip' : 'InternalId'].context
        await change(api, 'testdata.blockContext', relative)
        await change(api, 'testdata.unblockContext', blocked.context)
        expect(await enter(), 'when it is unblocked').toHaveSucceeded('authentication')
        expect(
          await authenticateAs(api, relative),
          `${relative.type} of the same taxpayer, blocked too`,
        ).toBeRejected('context-blocked')
        expect(await authenticateAs(api, stranger)).toBeRejected('context-blocked')
      },
    )
