import type { Dialect } from '../../../contract/dialect.ts'
import { operationIds } from '../../../contract/endpoints.ts'
import type { OperationId } from '../../../contract/endpoints.ts'
import { publicRate, rateRules } from '../../../contract/limits.ts'
import { fetchKeys } from '../../../lib/flows/keys.ts'
import { fetchChallenge, startWithDocument, tokenLoginBody } from '../../../lib/flows/login.ts'
import type { Challenge } from '../../../lib/flows/login.ts'
import type { CallOptions } from '../../../lib/request.ts'
import { perform, readyCalls } from '../../support/scenes/calls.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { isOnTestData, offered } from '../../support/service/offered.ts'
import { wireOperation } from '../../../lib/wire.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf, simulateProduction, untilFree } from '../../support/service/rated.ts'
import { rule } from '../../support/checks/rule.ts'
import { createStage } from '../../support/callers/stage.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Operations that the rules do not concern; that the test data are among them is an assumption. */
const publicOperations = (dialect: Dialect): OperationId[] =>
  offered(...operationIds).filter(
    (id) => wireOperation(id, dialect).rate === 'public' && !isOnTestData(id),
  )

test(...rule('limits.rate.public-outside', 'during a block'), async ({ rated, api }) => {
  const { fill, call } = await rated(ratedCalls.default)
  expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
  expect(await call()).toBeRefused('rate-limited')
  for (const operation of offered('auth.challenge', 'keys.list', 'transport.health'))
    // Within the limit of the address: other checks may have called from it.
    expect(await api.call(operation, { bearer: null })).toBeOk()
})

test(
  ...rule('limits.rate.public-outside', 'during a longer block'),
  async ({ rated, api, login, another, invoice, rng, target }) => {
    const me = await login()
    const stage = createStage({ me, api, login, another, invoice, rng, target })
    const { fill, call } = await rated(ratedCalls.default, me)
    const ready = await readyCalls(stage, publicOperations(target.dialect))
    expect(limitedOf(await fill('minute')), 'rejected calls within the limits').toBe(0)
    expect(await call()).toBeRefused('rate-limited')
    for (const [operation, one] of ready)
      expect.soft(await perform(api, operation, one), operation).toBeOk()
    expect(await call(), 'after them').toBeRefused('rate-limited')
  },
)

test(...rule('limits.rate.public-outside', 'above the default'), async ({ api, clock }) => {
  const { perSecond, perMinute, perHour } = rateRules.default.window
  await clock.still()
  let made = 0
  while (made <= perHour) {
    // Half of the limit, so that other checks at the same address do not matter.
    const calls = Math.min(publicRate.perSecond / 2, perHour + 1 - made)
    const answers = await Promise.all(
      Array.from({ length: calls }, () => api.call('keys.list', { pace: false })),
    )
    made += calls
    expect(
      limitedOf(answers),
      `rejected public calls of ${made}; the protected limits are ${perSecond}, ${perMinute}, ${perHour}`,
    ).toBe(0)
    await clock.advance(1_001)
  }
})

test(
  ...rule('limits.rate.public-outside', 'above the default with sign-ins'),
  async ({ api, own, serviceToken, clock }) => {
    const { context, token } = await serviceToken()
    const { type, value } = context
    const login = { context: { type, value }, token, keys: await fetchKeys(api) }
    const signIn = {
      'auth.xades': async (challenge: Challenge) => own.document(challenge.challenge),
      'auth.token': async (challenge: Challenge) => tokenLoginBody(api, login, challenge),
    }
    const ways = Object.entries(signIn) as [keyof typeof signIn, (typeof signIn)['auth.token']][]
    await clock.still()
    // Each fetches a challenge, which has a limit of its own.
    const atOnce = Math.floor(publicRate.perSecond / 4)
    for (let made = 0; made <= rateRules.default.window.perMinute; made += atOnce) {
      const answers = await Promise.all(
        Array.from({ length: atOnce }, () =>
          Promise.all(
            ways.map(async ([operation, bodyFor]) => {
              const body = await bodyFor(await fetchChallenge(api))
              return api.call(operation, { body, pace: false })
            }),
          ),
        ),
      )
      expect(limitedOf(answers.flat()), `rejected sign-ins after ${made}`).toBe(0)
      await clock.advance(1_001)
    }
  },
)

type Fixtures = Pick<All, 'api' | 'own' | 'login'>

/** Public operations that take a token of a login, as often as the caller likes. */
const withToken = {
  async 'auth.status'({ api, own }: Fixtures) {
    const { referenceNumber, authenticationToken: bearer } = await startWithDocument(api, {
      sign: (text) => own.document(text),
    })
    return { path: { referenceNumber }, bearer }
  },
  async 'auth.refresh'({ login }: Fixtures) {
    return { bearer: (await login()).refreshToken }
  },
  // These need no token, and a client that logged in may send it with every call.
  async 'keys.list'({ login }: Fixtures) {
    return { bearer: (await login()).accessToken }
  },
  async 'auth.challenge'({ login }: Fixtures) {
    return { bearer: (await login()).accessToken }
  },
} as const satisfies Partial<Record<OperationId, (fixtures: Fixtures) => Promise<CallOptions>>>

for (const operation of Object.keys(withToken) as (keyof typeof withToken)[])
  test(
    ...rule('limits.rate.public-outside', `above the default with a token, ${operation}`),
    async ({ api, own, login, clock, target }) => {
      // The limits of the caller's context are narrow, where they can be.
      await simulateProduction(target, await login())
      const options = await withToken[operation]({ api, own, login })
      await clock.still()
      const half = publicRate.perSecond / 2
      for (let made = 0; made <= rateRules.default.window.perHour; made += half) {
        const answers = await Promise.all(
          Array.from({ length: half }, () => api.call(operation, { ...options, pace: false })),
        )
        expect(limitedOf(answers), `rejected public calls after ${made}`).toBe(0)
        await clock.advance(1_001)
      }
    },
  )

test(
  ...rule('limits.rate.public-outside', 'public limit exhausted'),
  async ({ rated, api, clock }) => {
    const { call } = await rated(ratedCalls.default)
    await clock.advance(1_001)
    const calls = publicRate.perSecond + 1
    const answers = await Promise.all(
      Array.from({ length: calls }, () => api.call('auth.challenge', { pace: false })),
    )
    expect(limitedOf(answers), 'public calls above their own limit').toBeGreaterThanOrEqual(1)
    expect((await call()).status, 'a protected call at the same address').not.toBe(429)
    await untilFree(api, answers, () => clock.now())
  },
)
