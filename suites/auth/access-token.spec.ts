import { endpoint } from '../../contract/endpoints.ts'
import { limits } from '../../contract/limits.ts'
import type { VariantText } from '../../contract/rules.ts'
import type { Bearer } from '../../contract/types.ts'
import type { Client } from '../../lib/client.ts'
import { jwtPayload } from '../../lib/codec.ts'
import { refreshAccess } from '../../lib/flows/login.ts'
import { closeOnline, openOnline, submissionBody } from '../../lib/flows/session.ts'
import { drawNip } from '../../lib/identifiers/nip.ts'
import { expectOk } from '../../lib/outcome.ts'
import { changing, expectNothingDone, readyChanges } from '../support/scenes/changing.ts'
import type { Me } from '../support/service/contexts.ts'
import { altered, forgedTokens } from '../support/scenes/forged-tokens.ts'
import { formCodes } from '../support/checks/forms.ts'
import { byNip, grantPerson } from '../support/callers/grants.ts'
import { harmlessCalls } from '../support/steps/harmless.ts'
import { covering, withBearer } from '../support/coverage/matrices.ts'
import type { WrongBearer } from '../support/coverage/matrices.ts'
import { taking } from '../support/service/offered.ts'
import { leavesNothing } from '../support/scenes/remembered.ts'
import { rule } from '../support/checks/rule.ts'
import { mintToken } from '../support/callers/service-token.ts'
import { createStage } from '../support/callers/stage.ts'
import { expect, test } from '../support/harness/test.ts'

/** Operations that take an access token, by themselves or besides a refresh token. */
const operations = (...bearers: readonly Bearer[]) => taking('access', ...bearers)

const rowsOf = (...bearers: readonly Bearer[]) => ({
  rows: withBearer.filter((id) => bearers.includes(endpoint(id).bearer)),
})

const bearers: readonly (readonly [
  variant: VariantText<'auth.access-token.required'>,
  bearerOf: (me: Me) => string | null,
  refused: 'wrong-token' | 'rubbish-token',
  column: WrongBearer,
  also: readonly Bearer[],
])[] = [
  ['no token', () => null, 'wrong-token', 'no token', ['refresh-or-access']],
  [
    'authentication token',
    ({ authenticationToken }) => authenticationToken,
    'wrong-token',
    'wrong stage',
    ['refresh-or-access'],
  ],
  ['refresh token', ({ refreshToken }) => refreshToken, 'wrong-token', 'wrong stage', []],
  ['invalid token', () => 'rubbish', 'rubbish-token', 'invalid token', ['refresh-or-access']],
]

for (const [what, bearerOf, refusal, column, also] of bearers) {
  const covers = covering('bearer', { column, ...rowsOf('access', ...also) })
  test(...rule('auth.access-token.required', what, covers), async ({ login }) => {
    const me = await login()
    const bearer = bearerOf(me)
    await leavesNothing(me.api, async () => {
      for (const operation of operations(...also))
        for (const call of harmlessCalls(operation)) {
          const answer = await me.api.call(operation, { ...call, bearer })
          expect.soft(answer, operation).toBeRefused(refusal)
        }
    })
  })
}

test(...rule('auth.access-token.required', 'other scheme'), async ({ login }) => {
  const { api, accessToken } = await login()
  for (const scheme of ['Basic ', 'Token ', ''])
    for (const operation of ['sessions.list', 'limits.context'] as const) {
      const headers = { authorization: `${scheme}${accessToken}` }
      const answer = await api.call(operation, { bearer: null, headers, pace: false })
      expect(answer, `${operation}, ${scheme.trim() || 'no scheme'}`).toBeRefused('wrong-token')
    }
})

test(
  ...rule(
    'auth.access-token.required',
    'expired',
    covering('bearer', { column: 'expired', ...rowsOf('access', 'refresh-or-access') }),
  ),
  async ({ open, invoice, clock }) => {
    const { me, session } = await open()
    const { api, accessValidUntil } = me
    const body = await submissionBody(api, session, invoice().bytes)
    await clock.set((accessValidUntil ?? 0) + 1_000)
    const path = { referenceNumber: session.referenceNumber }
    for (const [operation, call] of [
      ['invoices.submit', { path, body }],
      ['sessions.status', { path }],
      ['sessions.closeOnline', { path }],
    ] as const) {
      const answer = await api.call(operation, call)
      expect.soft(answer, `${operation}, in an open session`).toBeRefused('expired-token')
    }
    for (const operation of operations('refresh-or-access'))
      for (const call of harmlessCalls(operation)) {
        const answer = await api.call(operation, call)
        expect.soft(answer, operation).toBeRefused('expired-token')
      }
  },
)

/** The token that an operation takes. */
const ownToken = (me: Me, bearer: Bearer): string =>
  bearer === 'authentication'
    ? me.authenticationToken
    : bearer === 'refresh'
      ? me.refreshToken
      : me.accessToken

for (const [what, column, forge] of forgedTokens) {
  const covers = covering('bearer', { column })
  test(...rule('auth.access-token.forged-refused', what, covers), async ({ login }) => {
    const me = await login()
    const kinds = new Map<Bearer, readonly string[]>()
    for (const bearer of ['access', 'refresh-or-access', 'authentication', 'refresh'] as const) {
      const token = ownToken(me, bearer)
      const isJwt = jwtPayload(me.api.codec, token) !== undefined
      kinds.set(bearer, isJwt ? [await forge(token, me.api)].flat() : [altered(token)])
    }
    await leavesNothing(me.api, async () => {
      for (const [kind, tokens] of kinds)
        for (const [at, operation] of taking(kind).entries()) {
          const path = kind === 'authentication' ? { referenceNumber: me.referenceNumber } : {}
          // Where there are several forgeries, they take turns.
          const bearer = tokens[at % tokens.length] ?? ''
          for (const call of harmlessCalls(operation)) {
            const ready = { ...call, path: { ...call.path, ...path }, bearer }
            const answer = await me.api.call(operation, ready)
            expect.soft(answer, operation).toBeRefused('wrong-token')
          }
        }
    })
  })
}

const protectedCall = { query: { sessionType: 'Online' } }

test(...rule('auth.access-token.jwt-lifetime'), async ({ login, target }) => {
  const begun = target.now()
  const { api, accessToken, refreshToken } = await login()
  const redeemed = target.now()
  const refreshed = await refreshAccess(api, refreshToken)
  const minLifetime = limits['accessToken.lifetimeMinimum'].value
  const maxLifetime = limits['accessToken.lifetimeMaximum'].value
  // A call may have to wait, so the issue time of a token is only known to lie between two instants.
  for (const [how, token, from, to] of [
    ['redeemed', accessToken, begun, redeemed],
    ['refreshed', refreshed.accessToken, redeemed, target.now()],
  ] as const) {
    const payload = jwtPayload(api.codec, token)
    expect(payload, `a JWT, ${how}`).toBeDefined()
    const end = Number(payload?.['exp'])
    const seconds = `seconds until \`exp\`, ${how}`
    expect(end - from / 1000, seconds).toBeGreaterThan(minLifetime - 30)
    expect(end - to / 1000, seconds).toBeLessThanOrEqual(maxLifetime + 5)
  }
})

test(...rule('auth.access-token.expires', 'before expiry'), async ({ login, clock }) => {
  const { api, accessValidUntil } = await login()
  await clock.set((accessValidUntil ?? 0) - 5_000)
  expect(await api.call('sessions.list', protectedCall)).toBeOk()
})

test(
  ...rule('auth.access-token.expires', 'nothing done'),
  async ({ api, login, another, invoice, rng, target, clock }) => {
    const me = await login()
    const ready = await readyChanges(
      createStage({ me, api, login, another, invoice, rng, target }),
      changing,
    )
    await clock.set(Math.max(clock.now(), (me.accessValidUntil ?? 0) + 1_000))
    const { accessToken } = await refreshAccess(me.api, me.refreshToken)
    const owner = me.api.with({ ...me.api.identity, bearer: accessToken })
    await expectNothingDone(owner, me.api, ready, 'expired-token')
  },
)

/** Operations that a service may serve by different readers of a token. */
const expectAlive = async (api: Client, bearer: string, when: string): Promise<void> => {
  for (const [operation, call] of [
    ['sessions.list', protectedCall],
    ['limits.context', {}],
    ['tokens.list', {}],
  ] as const)
    expect.soft(await api.call(operation, { ...call, bearer }), `${operation} ${when}`).toBeOk()
}

test(
  ...rule('auth.access-token.expires', 'after a refresh, and another'),
  async ({ login, clock }) => {
    const { api, accessToken, accessValidUntil, refreshToken } = await login()
    const tokens = [accessToken]
    while (tokens.length < 3) {
      await clock.advance(2_000)
      tokens.push((await refreshAccess(api, refreshToken)).accessToken)
    }
    await clock.set((accessValidUntil ?? 0) - 5_000)
    for (const [times, token] of tokens.entries())
      await expectAlive(api, token, `by the token after ${times} refreshes`)
  },
)

test(
  ...rule('auth.access-token.expires', 'beside other calls, of other logins'),
  async ({ login, rng, clock }) => {
    const { api, accessToken, accessValidUntil } = await login()
    await clock.advance(2_000)
    const other = await login()
    expectOk(await other.api.call('auth.revokeCurrent'), 'log out of another login')
    const second = await login()
    const revoked = await mintToken(second)
    const path = { referenceNumber: revoked.referenceNumber ?? '' }
    expectOk(await second.api.call('tokens.revoke', { path }), 'revoke a service token')
    await closeOnline(second.api, await openOnline(second.api, { formCode: formCodes.fa3 }))
    await grantPerson(second.api, byNip(drawNip(rng)), ['InvoiceRead'])
    await clock.set((accessValidUntil ?? 0) - 5_000)
    await expectAlive(api, accessToken, 'by a token of before')
  },
)

test(...rule('auth.access-token.expires', 'after expiry'), async ({ login, clock }) => {
  const { api, accessValidUntil } = await login()
  await clock.set((accessValidUntil ?? 0) + 1_000)
  expect(await api.call('sessions.list', protectedCall)).toBeRefused('expired-token')
})
