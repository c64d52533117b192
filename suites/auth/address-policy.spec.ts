import type { Client } from '../../lib/client.ts'
import {
  contextKey,
  fetchChallenge,
  finishLogin,
  readStarted,
  refreshAccess,
  tokenLoginBody,
} from '../../lib/flows/login.ts'
import type { Login } from '../../lib/flows/login.ts'
import type { OwnContext } from '../support/contexts.ts'
import { rule } from '../support/rule.ts'
import { expect, test } from '../support/test.ts'

/** Tokens that are restricted to source addresses. */

const [home, near, far] = ['127.0.0.1', '127.0.0.2', '127.0.0.4']

interface Bound {
  readonly login: Login
  readonly at: (address: string) => Client
}

const judged = async ({ login, at }: Bound, context: OwnContext, allowed: readonly string[]) => {
  const renewed = () => refreshAccess(at(allowed[0] ?? home), login.refreshToken)
  for (const [what, bearerOf] of [
    ['', () => Promise.resolve(login.accessToken)],
    [', with a refreshed token', async () => (await renewed()).accessToken],
  ] as const) {
    const identity = { bearer: await bearerOf(), context: contextKey(context) }
    for (const address of [home, near, far]) {
      const answer = await at(address).with(identity).call('limits.context')
      if (allowed.includes(address)) expect(answer, `a call from ${address}${what}`).toBeOk()
      else expect(answer, `${address}${what}`).toBeRefused('address-not-allowed')
    }
  }
}

const policies = [
  ['one address', { addresses: [near] }, [near]],
  ['one address, of several', { addresses: [near, home] }, [home, near]],
  ['address range', { ranges: ['127.0.0.2-127.0.0.3'] }, [near]],
  ['address range, last address', { ranges: ['127.0.0.2-127.0.0.4'] }, [near, far]],
  ['address range, of other lengths', { ranges: ['9.0.0.1-127.0.0.2'] }, [home, near]],
  ['network', { masks: ['127.0.0.0/30'] }, [home, near]],
  ['network, of one address', { masks: ['127.0.0.4/32'] }, [far]],
  [
    'combined',
    { addresses: [home], ranges: ['127.0.0.9-127.0.0.9'], masks: ['127.0.0.4/31'] },
    [home, far],
  ],
] as const

for (const [what, allowedIps, allowed] of policies) {
  test(...rule('auth.address-policy', what), async ({ api, own, target, ledger }) => {
    test.skip(target.profile.addresses !== undefined, 'the profile sets other source addresses')
    const { challenge } = await fetchChallenge(api)
    const body = await own.document(challenge, { allowedIps })
    const started = readStarted(await api.call('auth.xades', { body }), 'authenticate')
    const login = await finishLogin(api, started)
    const at = (address: string) => target.client(ledger.record, address)
    await judged({ login, at }, own, allowed)
  })
}

test(
  ...rule('auth.address-policy', 'service token'),
  async ({ api, serviceToken, target, ledger }) => {
    test.skip(target.profile.addresses !== undefined, 'the profile sets other source addresses')
    const { context, token } = await serviceToken()
    const { type, value } = context
    const asked = await tokenLoginBody(
      api,
      { context: { type, value }, token },
      await fetchChallenge(api),
    )
    const authorizationPolicy = {
      allowedIps: { ip4Addresses: [near], ip4Ranges: ['127.0.0.4-127.0.0.8'] },
    }
    const body = { ...asked, authorizationPolicy }
    const started = readStarted(await api.call('auth.token', { body }), 'authenticate')
    const login = await finishLogin(api, started)
    const at = (address: string) => target.client(ledger.record, address)
    await judged({ login, at }, context, [near, far])
  },
)
