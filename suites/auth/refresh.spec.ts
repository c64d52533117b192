import { limits } from '../../contract/limits.ts'
import { readToken, settleAuthentication, startWithDocument } from '../../lib/flows/login.ts'
import { covering } from '../support/coverage/matrices.ts'
import { rule } from '../support/checks/rule.ts'
import { fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

const protectedCall = { query: { sessionType: 'Online' } }

test(...rule('auth.refresh.repeatable', 'again and again'), async ({ api, login }) => {
  const { accessToken: first, refreshToken, api: mine } = await login()
  const seen = new Set([first])
  for (let round = 0; round < 3; round += 1) {
    const answer = await api.call('auth.refresh', { bearer: refreshToken })
    expect(answer).toBeOk()
    const { accessToken } = fields(answer) as { accessToken: { token: string } }
    const bearer = accessToken.token
    expect(seen.has(bearer), 'a token that was issued before').toBe(false)
    seen.add(bearer)
    expect(
      await mine.call('sessions.list', { ...protectedCall, bearer }),
      'the new access token works',
    ).toBeOk()
  }
})

test(...rule('auth.refresh.repeatable', 'again and again, at once'), async ({ api, login }) => {
  const { accessToken: first, refreshToken } = await login()
  const seen = new Set([first])
  for (let call = 1; call <= 24; call += 1) {
    const answer = await api.call('auth.refresh', { bearer: refreshToken })
    expect(answer, `call ${call}`).toBeOk()
    seen.add(readToken(fields(answer)['accessToken'])?.token ?? '')
  }
  expect(seen.size, 'access tokens, each of them new').toBe(25)
})

/** The expiry of a refresh token; the contract states only its maximum lifetime. */
const stated = (validUntil: number | undefined): number => {
  test.skip(validUntil === undefined, 'the target does not report the expiry of the refresh token')
  return validUntil ?? 0
}

const sevenDays = limits['refreshToken.lifetime'].value * 1000

test(...rule('auth.refresh.seven-days', 'expiry'), async ({ login, target }) => {
  const { refreshValidUntil } = await login()
  const lifetime = stated(refreshValidUntil) - target.now()
  expect(lifetime, 'milliseconds until the refresh token expires').toBeGreaterThan(0)
  expect(lifetime, 'at most seven days').toBeLessThanOrEqual(sevenDays + 5_000)
})

test(...rule('auth.refresh.seven-days', 'before expiry'), async ({ login, clock }) => {
  const { api, refreshToken, refreshValidUntil } = await login()
  const end = stated(refreshValidUntil)
  await clock.set(end - 60_000)
  const answer = await api.call('auth.refresh', { bearer: refreshToken })
  expect(answer, 'a refresh a minute before the end').toBeOk()
  const { accessToken } = fields(answer) as { accessToken: { token: string } }
  const call = await api.call('sessions.list', { ...protectedCall, bearer: accessToken.token })
  expect(call, 'the new access token works').toBeOk()
})

const expired = covering('bearer', { column: 'expired', rows: ['auth.refresh'] })

test(
  ...rule('auth.refresh.seven-days', 'after expiry', expired),
  async ({ login, clock, target }) => {
    const { api, refreshToken, refreshValidUntil } = await login()
    const end = Math.min(refreshValidUntil ?? Infinity, target.now() + sevenDays)
    await clock.set(end + 5_000)
    expect(await api.call('auth.refresh', { bearer: refreshToken })).toBeRefused('refresh-refused')
  },
)

for (const [what, bearerOf, column] of [
  ['access token', (me: { accessToken: string }) => me.accessToken, 'wrong stage'],
  [
    'authentication token',
    (me: { authenticationToken: string }) => me.authenticationToken,
    'wrong stage',
  ],
  ['no token', () => null, 'no token'],
  ['invalid token', () => 'this.is.rubbish', 'invalid token'],
] as const) {
  const covers = covering('bearer', { column, rows: ['auth.refresh'] })
  test(...rule('auth.refresh.wrong-bearer-refused', what, covers), async ({ api, login }) => {
    const bearer = bearerOf(await login())
    expect(await api.call('auth.refresh', { bearer })).toBeRefused('wrong-token')
  })
}

test(
  ...rule('auth.refresh.wrong-bearer-refused', 'unredeemed authentication token'),
  async ({ api, own }) => {
    const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
    expect(await settleAuthentication(api, started)).toHaveSucceeded('authentication')
    const bearer = started.authenticationToken
    expect(await api.call('auth.refresh', { bearer })).toBeRefused('wrong-token')
    expect(await api.call('auth.redeem', { bearer }), 'a redemption afterwards').toBeOk()
  },
)

test(
  ...rule('auth.refresh.wrong-bearer-refused', 'expired access token'),
  async ({ api, login, clock }) => {
    const { accessToken, accessValidUntil } = await login()
    await clock.set((accessValidUntil ?? 0) + 1_000)
    const answer = await api.call('auth.refresh', { bearer: accessToken })
    expect(answer).toBeRefused('expired-token')
  },
)
