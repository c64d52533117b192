import type { OperationId } from '../../../contract/endpoints.ts'
import { limits } from '../../../contract/limits.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { readToken, refreshAccess } from '../../../lib/flows/login.ts'
import { drawSecret, encryptionFields } from '../../../lib/flows/session.ts'
import { issuedAround } from '../../support/steps/filters.ts'
import { formCodes } from '../../support/checks/forms.ts'
import { granted } from '../../support/callers/grants.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** A refreshed access token does what the first one of the login does: it is renewed whole. */

for (const way of ['document', 'service token'] as const)
  test(
    ...familyRule('auth.refresh.repeatable', 'refreshed login', `what its tokens do, ${way}`),
    async ({ login, clock }) => {
      const owner = await login()
      const isToken = owner.context.by === 'token'
      test.skip(isToken, 'the token of the target carries its own permissions')
      const carried = ['InvoiceRead', 'InvoiceWrite', 'CredentialsRead', 'CredentialsManage']
      const me =
        way === 'document' ? owner : await login({ token: (await mintToken(owner, carried)).token })
      const { api, accessToken, refreshToken } = me
      // The service may have other keys by the time of a later call.
      const calls = async (): Promise<readonly (readonly [OperationId, CallOptions])[]> => [
        [
          'sessions.openOnline',
          { body: { formCode: formCodes.fa3, ...(await encryptionFields(api, drawSecret())) } },
        ],
        ['queries.metadata', { body: issuedAround(clock.now()) }],
        ['tokens.list', {}],
        [
          'tokens.create',
          { body: { permissions: ['InvoiceWrite'], description: 'by a refreshed login' } },
        ],
        ['permissions.queryPersons', { body: granted }],
        ['auth.sessions', {}],
      ]
      const expectDone = async (which: string, bearer: string) => {
        for (const [operation, options] of await calls())
          expect(
            await api.call(operation, { ...options, bearer }),
            `${operation} ${which}`,
          ).toBeOk()
      }
      const first = await refreshAccess(api, refreshToken)
      await expectDone('with the first token', accessToken)
      await expectDone('with the refreshed token', first.accessToken)
      // Every access token of the login has expired by then.
      await clock.advance(limits['accessToken.lifetimeMaximum'].value * 1000 + 60_000)
      // Many clients state a media type where they send no body.
      const headers = { 'content-type': 'application/json' }
      const late = await api.call('auth.refresh', { bearer: refreshToken, headers })
      expect(late, 'a refresh after the end of every access token').toBeOk()
      const { token = '' } = readToken(fields(late)['accessToken']) ?? {}
      await expectDone('with a token that was refreshed late', token)
    },
  )
