import type { OperationId } from '../../../contract/endpoints.ts'
import { publicRate, rateRules } from '../../../contract/limits.ts'
import { startWithDocument } from '../../../lib/flows/login.ts'
import type { CallOptions } from '../../../lib/request.ts'
import type { Fixtures as All } from '../../support/fixtures.ts'
import { offered } from '../../support/offered.ts'
import { ratedCalls } from '../../../lib/node/rated-calls.ts'
import { limitedOf, untilFree } from '../../support/rated.ts'
import { rule } from '../../support/rule.ts'
import { expect, test } from '../../support/test.ts'

test(...rule('limits.rate.public-outside', 'during a block'), async ({ rated, api }) => {
  const { fill, call } = await rated(ratedCalls.default)
  expect(limitedOf(await fill('second')), 'rejected calls within the limits').toBe(0)
  expect(await call()).toBeRefused('rate-limited')
  for (const operation of offered('auth.challenge', 'keys.list', 'transport.health'))
    // Within the limit of the address: other checks may have called from it.
    expect(await api.call(operation, { bearer: null })).toBeOk()
})

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
} as const satisfies Partial<Record<OperationId, (fixtures: Fixtures) => Promise<CallOptions>>>

for (const operation of Object.keys(withToken) as (keyof typeof withToken)[])
  test(
    ...rule('limits.rate.public-outside', `above the default with a token, ${operation}`),
    async ({ api, own, login, clock }) => {
      const options = await withToken[operation]({ api, own, login })
      await clock.still()
      const half = publicRate.perSecond / 2
      for (let made = 0; made <= rateRules.default.window.perMinute; made += half) {
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
