import {
  settleAuthentication,
  startWithDocument,
  startWithToken,
} from '../../../lib/flows/login.ts'
import type { Client } from '../../../lib/client.ts'
import type { Login } from '../../../lib/flows/login.ts'
import type { Me } from '../../support/service/contexts.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { enterByToken, mintToken, tokenState } from '../../support/callers/service-token.ts'
import { reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What the end of a login takes away, and what it leaves, whichever way and however far the login had gone. */

type Ended = Pick<Login, 'referenceNumber' | 'accessToken' | 'refreshToken' | 'authenticationToken'>

/** Ways to end a login. */
const ends: Readonly<Record<string, (owner: Me, login: Ended) => ReturnType<Client['call']>>> = {
  'by reference': ({ api }, { referenceNumber }) =>
    api.call('auth.revoke', { path: { referenceNumber } }),
  'by its access token': ({ api }, { accessToken: bearer }) =>
    api.call('auth.revokeCurrent', { bearer }),
  'by its refresh token': ({ api }, { refreshToken: bearer }) =>
    api.call('auth.revokeCurrent', { bearer }),
}

for (const [how, end] of Object.entries(ends))
  test(
    ...familyRule('auth.sessions.ended', 'ended login', `made with a service token, ${how}`),
    async ({ api, login }) => {
      const owner = await login()
      const { token, referenceNumber = '' } = await mintToken(owner, ['InvoiceRead'])
      const [ended, other] = [await login({ token }), await login({ token })]
      const refresh = ({ refreshToken: bearer }: Ended) => api.call('auth.refresh', { bearer })
      expect(await end(owner, ended)).toBeOk()
      expect(await refresh(ended), 'a refresh of the ended login').toBeRefused('refresh-refused')
      const again = await api.call('auth.redeem', { bearer: ended.authenticationToken })
      expect(again, 'a second redemption of the ended login').toBeRefused('redeem-refused')
      expect(await refresh(other), 'a refresh of another one by the same token').toBeOk()
      expect(await refresh(owner), 'a refresh of the login that made the token').toBeOk()
      expect(await tokenState(owner.api, referenceNumber), 'the state of the token').toBe('Active')
      const fresh = await enterByToken(api, owner.context, token)
      expect(fresh, 'a new login by the token').toHaveSucceeded('authentication')
    },
  )

for (const by of ['document', 'service token'] as const)
  test(
    ...familyRule('auth.sessions.ended', 'ended login', `before its redemption, ${by}`),
    async ({ api, login }) => {
      const owner = await login()
      const { context } = owner
      const started =
        by === 'document'
          ? await startWithDocument(api, { sign: (challenge) => context.document(challenge) })
          : await startWithToken(api, {
              context: { type: context.type, value: context.value },
              token: (await mintToken(owner, ['InvoiceRead'])).token,
            })
      await settleAuthentication(api, started)
      const path = { referenceNumber: started.referenceNumber }
      const answer = await owner.api.call('auth.revoke', { path })
      // It is not listed yet, and a service may not know it before it is.
      if (answer.status >= 300) {
        expect(answer).toBeRefused('authentication-unknown')
        return
      }
      const bearer = started.authenticationToken
      const look = await api.call('auth.status', { path, bearer })
      expect(reported(look), 'the ended login').toBeInState('authentication', 425)
      const redeemed = await api.call('auth.redeem', { bearer })
      expect(redeemed, 'the redemption of an ended login').toBeRefused('redeem-refused')
    },
  )
