import { limits } from '../../contract/limits.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import { rule } from '../support/rule.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const protectedCall = { query: { sessionType: 'Online' } }

test(...rule('auth.refresh.repeatable'), async ({ api, login }) => {
  const { refreshToken, api: mine } = await login()
  for (let round = 0; round < 3; round += 1) {
    const answer = await api.call('auth.refresh', { bearer: refreshToken })
    expect(answer).toBeOk()
    const { accessToken } = fields(answer) as { accessToken: { token: string } }
    const bearer = accessToken.token
    expect(
      await mine.call('sessions.list', { ...protectedCall, bearer }),
      'the new access token works',
    ).toBeOk()
  }
})

const sevenDays = limits['refreshToken.lifetime'].value * 1000

test(...rule('auth.refresh.seven-days', 'expiry'), async ({ login, target }) => {
  const { refreshValidUntil } = await login()
  test.skip(
    refreshValidUntil === undefined,
    'the target does not report the expiry of the refresh token',
  )
  const lifetime = (refreshValidUntil ?? 0) - target.now()
  expect(lifetime, 'milliseconds until the refresh token expires').toBeGreaterThan(0)
  expect(lifetime, 'at most seven days').toBeLessThanOrEqual(sevenDays + 5_000)
})

test(...rule('auth.refresh.seven-days', 'before expiry'), async ({ login, clock, target }) => {
  const { api, refreshToken, refreshValidUntil } = await login()
  const end = refreshValidUntil ?? target.now() + sevenDays
  await clock.set(end - 60_000)
  const { accessToken } = await refreshAccess(api, refreshToken)
  const call = await api.call('sessions.list', { ...protectedCall, bearer: accessToken })
  expect(call, 'the new access token works').toBeOk()
})

test(...rule('auth.refresh.seven-days', 'after expiry'), async ({ login, clock, target }) => {
  const { api, refreshToken, refreshValidUntil } = await login()
  const end = Math.min(refreshValidUntil ?? Infinity, target.now() + sevenDays)
  await clock.set(end + 5_000)
  expect(await api.call('auth.refresh', { bearer: refreshToken })).toBeRefused('refresh-refused')
})

for (const [what, bearerOf] of [
  ['access token', (me: { accessToken: string }) => me.accessToken],
  ['authentication token', (me: { authenticationToken: string }) => me.authenticationToken],
  ['no token', () => null],
] as const) {
  test(...rule('auth.refresh.wrong-bearer-refused', what), async ({ api, login }) => {
    const bearer = bearerOf(await login())
    expect(await api.call('auth.refresh', { bearer })).toBeRefused('wrong-token')
  })
}
