import { limits } from '../../contract/limits.ts'
import { jwtPayload } from '../../lib/codec.ts'
import {
  readToken,
  refreshAccess,
  settleAuthentication,
  startWithDocument,
} from '../../lib/flows/login.ts'
import { rule } from '../support/rule.ts'
import { fields } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const protectedCall = { query: { sessionType: 'Online' } }

test(...rule('auth.redeem.issues-pair'), async ({ api, own }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, started)
  const answer = await api.call('auth.redeem', { bearer: started.authenticationToken })
  expect(answer).toBeOk()
  const { accessToken, refreshToken } = fields(answer)
  expect(readToken(accessToken)?.token, 'an access token').toMatch(/\S/)
  expect(readToken(refreshToken)?.token, 'a refresh token').toMatch(/\S/)
})

test(...rule('auth.redeem.once'), async ({ api, login }) => {
  const { authenticationToken } = await login()
  const second = await api.call('auth.redeem', { bearer: authenticationToken })
  expect(second).toBeRefused('redeem-refused')
})

test(...rule('auth.redeem.not-after-expiry'), async ({ api, own, clock }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, started)
  await clock.set(Date.parse(started.validUntil ?? '') + 1_000)
  const answer = await api.call('auth.redeem', { bearer: started.authenticationToken })
  expect(answer).toBeRefused('expired-authentication-token')
})

test(...rule('auth.redeem.not-after-expiry', 'just before'), async ({ api, own, clock }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, started)
  await clock.set(Date.parse(started.validUntil ?? '') - 5_000)
  expect(await api.call('auth.redeem', { bearer: started.authenticationToken })).toBeOk()
})

test(...rule('auth.access-token.jwt-lifetime'), async ({ api, login, target }) => {
  const { accessToken } = await login()
  const payload = jwtPayload(api.codec, accessToken)
  expect(payload, 'a JWT').toBeDefined()
  const lifetime = Number(payload?.['exp']) - target.now() / 1000
  const least = limits['accessToken.lifetimeMinimum'].value
  const most = limits['accessToken.lifetimeMaximum'].value
  expect(lifetime, 'seconds until `exp`').toBeGreaterThan(least - 30)
  expect(lifetime, 'seconds until `exp`').toBeLessThanOrEqual(most + 5)
})

test(...rule('auth.access-token.expires', 'before'), async ({ login, clock }) => {
  const { api, accessValidUntil } = await login()
  await clock.set((accessValidUntil ?? 0) - 5_000)
  expect(await api.call('sessions.list', protectedCall)).toBeOk()
})

test(...rule('auth.access-token.expires', 'after'), async ({ login, clock }) => {
  const { api, accessValidUntil } = await login()
  await clock.set((accessValidUntil ?? 0) + 1_000)
  expect(await api.call('sessions.list', protectedCall)).toBeRefused('expired-token')
})

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

test(...rule('auth.refresh.seven-days', 'bound'), async ({ login, target }) => {
  const { refreshValidUntil } = await login()
  test.skip(refreshValidUntil === undefined, 'the target does not say when the refresh token ends')
  const lifetime = (refreshValidUntil ?? 0) - target.now()
  expect(lifetime, 'milliseconds until the refresh token ends').toBeGreaterThan(0)
  expect(lifetime, 'at most seven days').toBeLessThanOrEqual(sevenDays + 5_000)
})

test(...rule('auth.refresh.seven-days', 'before'), async ({ login, clock, target }) => {
  const { api, refreshToken, refreshValidUntil } = await login()
  const end = refreshValidUntil ?? target.now() + sevenDays
  await clock.set(end - 60_000)
  const { accessToken } = await refreshAccess(api, refreshToken)
  const call = await api.call('sessions.list', { ...protectedCall, bearer: accessToken })
  expect(call, 'the new access token works').toBeOk()
})

test(...rule('auth.refresh.seven-days', 'after'), async ({ login, clock, target }) => {
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
