import { limits } from '../../contract/limits.ts'
import {
  contextKey,
  readToken,
  settleAuthentication,
  startWithDocument,
} from '../../lib/flows/login.ts'
import type { Login } from '../../lib/flows/login.ts'
import { expectOk } from '../../lib/outcome.ts'
import { notOfAuthentication } from '../support/scenes/bearers.ts'
import { outcomeOfCode } from '../support/judging/matchers.ts'
import { covering } from '../support/coverage/matrices.ts'
import { rule } from '../support/checks/rule.ts'
import { fields } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'

for (const [what, bearerOf, column] of notOfAuthentication) {
  const covers = covering('bearer', { column, rows: ['auth.redeem'] })
  test(...rule('auth.redeem.wrong-bearer-refused', what, covers), async ({ api, login, own }) => {
    const bearer = bearerOf(await login())
    // Of the same caller, and not redeemed yet: no other token than its own redeems it.
    const waiting = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
    await settleAuthentication(api, waiting)
    expect(await api.call('auth.redeem', { bearer })).toBeRefused('wrong-token')
    const redeemed = await api.call('auth.redeem', { bearer: waiting.authenticationToken })
    expect(redeemed, 'the one that waits, by its own token').toBeOk()
  })
}

test(...rule('auth.redeem.not-before-success'), async ({ api, own, clock }) => {
  await clock.still()
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  const path = { referenceNumber: started.referenceNumber }
  const bearer = started.authenticationToken
  const pending = async (): Promise<boolean> => {
    const { body } = expectOk(await api.call('auth.status', { path, bearer }), 'read the status')
    return outcomeOfCode((body as { status: { code: number } }).status.code) === 'pending'
  }
  const tooLate = 'the authentication finished before an early redemption was possible'
  test.skip(!(await pending()), tooLate)
  const answer = await api.call('auth.redeem', { bearer })
  // On a running clock, it may have finished in the meantime.
  test.skip(answer.status === 200 && !(await pending()), tooLate)
  expect(answer).toBeRefused('redeem-refused')
})

test(...rule('auth.redeem.issues-pair'), async ({ api, own }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, started)
  const answer = await api.call('auth.redeem', { bearer: started.authenticationToken })
  expect(answer).toBeOk()
  const { accessToken, refreshToken } = fields(answer)
  const [access = '', refresh = ''] = [accessToken, refreshToken].map(
    (one) => readToken(one)?.token,
  )
  expect(access, 'an access token').toMatch(/\S/)
  expect(refresh, 'a refresh token').toMatch(/\S/)
  const mine = api.with({ bearer: access, context: contextKey(own) })
  expect(await mine.call('limits.context'), 'a call with the access token').toBeOk()
  const renewed = await api.call('auth.refresh', { bearer: refresh })
  expect(renewed, 'a refresh with the refresh token').toBeOk()
  const other = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, other)
  // Many clients state a media type where they send no body.
  const headers = { 'content-type': 'application/json' }
  const typed = await api.call('auth.redeem', { bearer: other.authenticationToken, headers })
  expect(typed, 'a redemption with a media type, and no body').toBeOk()
})

test(...rule('auth.redeem.once'), async ({ api, login }) => {
  const me = await login()
  const again = (one: Login) => api.call('auth.redeem', { bearer: one.authenticationToken })
  expect(await again(me)).toBeRefused('redeem-refused')
  // The end of a login does not give its tokens back, whoever ends it.
  const [byAnother, byItself] = [await login(), await login()]
  const path = { referenceNumber: byAnother.referenceNumber }
  for (const [how, one, operation, options] of [
    ['by reference', byAnother, 'auth.revoke', { path, bearer: me.accessToken }],
    ['by its refresh token', byItself, 'auth.revokeCurrent', { bearer: byItself.refreshToken }],
    ['by its access token', me, 'auth.revokeCurrent', { bearer: me.accessToken }],
  ] as const) {
    expect(await api.call(operation, options), `the end ${how}`).toBeOk()
    expect(await again(one), `after its end ${how}`).toBeRefused('redeem-refused')
  }
})

const expired = covering('bearer', { column: 'expired', rows: ['auth.redeem'] })

test(...rule('auth.redeem.not-after-expiry', undefined, expired), async ({ api, own, clock }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, started)
  await clock.set(Date.parse(started.validUntil ?? '') + 1_000)
  const answer = await api.call('auth.redeem', { bearer: started.authenticationToken })
  expect(answer).toBeRefused('expired-authentication-token')
})

test(...rule('auth.redeem.not-after-expiry', 'before expiry'), async ({ api, own, clock }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, started)
  await clock.set(Date.parse(started.validUntil ?? '') - 5_000)
  expect(await api.call('auth.redeem', { bearer: started.authenticationToken })).toBeOk()
})

test(...rule('auth.redeem.not-after-expiry', 'lifetime'), async ({ api, own, target }) => {
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  const lifetime = Date.parse(started.validUntil ?? '') - target.now()
  const maxLifetime = limits['authenticationToken.lifetime'].value * 1000
  expect(lifetime, 'milliseconds until the authentication token expires').toBeGreaterThan(0)
  expect(lifetime, 'its assumed lifetime at most').toBeLessThanOrEqual(maxLifetime + 5_000)
})
