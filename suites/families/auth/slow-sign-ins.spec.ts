import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { jwtPayload } from '../../../lib/codec.ts'
import {
  fetchChallenge,
  finishLogin,
  readStarted,
  readToken,
  refreshAccess,
  settleAuthentication,
  tokenLoginBody,
} from '../../../lib/flows/login.ts'
import type { Challenge, Started } from '../../../lib/flows/login.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { harmlessCalls } from '../../support/steps/harmless.ts'
import { taking } from '../../support/service/offered.ts'
import { beforeMidnight, calendars } from '../../support/steps/midnight.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { fields, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * Sign-ins whose steps lie minutes apart, by each way to sign in: every lifetime counts from its own step, and ends when
 * the service says, also for a token that was in use just before.
 */

const minute = 60_000
const second = 1_000

type Scene = Pick<Fixtures, 'api' | 'own' | 'serviceToken' | 'clock'>

/** Starts an authentication with a challenge, minutes after the challenge was issued. */
type Start = () => Promise<Started>

const minutesAfter = async ({ api, clock }: Scene): Promise<Challenge> => {
  const issued = await fetchChallenge(api)
  await clock.set(issued.timestamp + 6 * minute)
  return issued
}

const ways = {
  document: {
    accepted: 'auth.xades.accepted',
    family: 'slow sign-in',
    prepare: (scene: Scene): Promise<Start> =>
      Promise.resolve(async () => {
        const { challenge } = await minutesAfter(scene)
        const body = await scene.own.document(challenge)
        return readStarted(await scene.api.call('auth.xades', { body }), 'authenticate')
      }),
  },
  'service token': {
    accepted: 'auth.token.accepted',
    family: 'slow sign-in with a service token',
    async prepare(scene: Scene): Promise<Start> {
      const { api, serviceToken, clock } = scene
      const { context, token } = await serviceToken()
      const { type, value } = context
      return async () => {
        const { challenge } = await minutesAfter(scene)
        const request = { context: { type, value }, token }
        const body = await tokenLoginBody(api, request, { challenge, timestamp: clock.now() })
        return readStarted(await api.call('auth.token', { body }), 'authenticate by service token')
      }
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly accepted: RuleId; readonly [more: string]: unknown }>
>

type Way = (typeof ways)[keyof typeof ways]

const endOf = ({ validUntil }: Started): number => Date.parse(validUntil ?? '')

/** Redeems in the last minute in which that is possible. */
const redeemedLate = async ({ api, clock }: Scene, start: Start) => {
  const started = await start()
  await settleAuthentication(api, started)
  await clock.set(endOf(started) - minute)
  return finishLogin(api, started)
}

const works = async ({ api }: Scene, bearer: string, what: string) =>
  expect(await api.call('limits.context', { bearer }), what).toBeOk()

/** An access token works until its end, and not after it although it was used just before. */
const expectEnd = async (scene: Scene, bearer: string, end: number | undefined, what: string) => {
  const { api, clock } = scene
  await clock.set((end ?? 0) - 3 * second)
  await works(scene, bearer, `${what}, just before its end`)
  await clock.set((end ?? 0) + second)
  const answer = await api.call('limits.context', { bearer })
  expect(answer, `${what}, just after its end`).toBeRefused('expired-token')
}

interface Row {
  readonly rule: RuleId | ((way: Way) => RuleId)
  readonly what: string
  readonly run: (scene: Scene, start: Start) => Promise<void>
}

const rows: readonly Row[] = [
  {
    rule: ({ accepted }) => accepted,
    what: 'stated end of its authentication token',
    async run({ api, clock }, start) {
      const started = await start()
      const { authenticationToken: bearer, referenceNumber } = started
      const look = () => api.call('auth.status', { path: { referenceNumber }, bearer })
      await settleAuthentication(api, started)
      const exp = jwtPayload(api.codec, bearer)?.['exp']
      if (typeof exp === 'number')
        expect(Math.abs(endOf(started) / second - exp), 'seconds to `exp`').toBeLessThan(1)
      await clock.set(endOf(started) - 3 * second)
      expect(await look(), 'a look just before it').toBeOk()
      await clock.set(endOf(started) + second)
      expect(await look(), 'a look just after it').toBeRefused('expired-authentication-token')
    },
  },
  {
    rule: 'auth.status.moves-forward',
    what: 'succeeded until its end, and after the redemption',
    async run({ api, clock }, start) {
      const started = await start()
      const { authenticationToken: bearer, referenceNumber } = started
      const state = async () => {
        const answer = await api.call('auth.status', { path: { referenceNumber }, bearer })
        expect(answer, 'the status of an authentication that succeeded').toBeOk()
        return reported(answer)
      }
      await settleAuthentication(api, started)
      for (const left of [30 * minute, minute]) {
        await clock.set(Math.max(clock.now(), endOf(started) - left))
        expect(await state(), `${left / minute} minutes before`).toBeInState('authentication', 200)
      }
      const { refreshToken } = await finishLogin(api, started)
      expect(await state(), 'after the redemption').toBeInState('authentication', 200)
      await refreshAccess(api, refreshToken)
      expect(await state(), 'after a refresh').toBeInState('authentication', 200)
    },
  },
  {
    rule: 'auth.redeem.not-after-expiry',
    what: 'redeemed after its end, with a look just before',
    async run({ api, clock }, start) {
      const started = await start()
      await settleAuthentication(api, started)
      const { authenticationToken: bearer, referenceNumber } = started
      await clock.set(endOf(started) - 3 * second)
      const look = await api.call('auth.status', { path: { referenceNumber }, bearer })
      expect(look, 'a look just before its end').toBeOk()
      await clock.set(endOf(started) + second)
      const answer = await api.call('auth.redeem', { bearer })
      expect(answer).toBeRefused('expired-authentication-token')
    },
  },
  {
    rule: 'auth.access-token.jwt-lifetime',
    what: 'redeemed in the last minute',
    async run(scene, start) {
      const { api, clock } = scene
      const { accessToken, accessValidUntil } = await redeemedLate(scene, start)
      const exp = Number(jwtPayload(api.codec, accessToken)?.['exp'])
      const left = exp - clock.now() / second
      const most = limits['accessToken.lifetimeMaximum'].value
      const least = limits['accessToken.lifetimeMinimum'].value
      expect(left, 'seconds until `exp`').toBeGreaterThan(least - 30)
      expect(left, 'seconds until `exp`').toBeLessThanOrEqual(most + 5)
      const stated = (accessValidUntil ?? 0) / second
      expect(Math.abs(stated - exp), 'seconds between both expiries').toBeLessThan(1)
    },
  },
  {
    rule: 'auth.access-token.expires',
    what: 'redeemed in the last minute',
    async run(scene, start) {
      const { accessToken, accessValidUntil, refreshToken } = await redeemedLate(scene, start)
      await expectEnd(scene, accessToken, accessValidUntil, 'the redeemed token')
      const renewed = await refreshAccess(scene.api, refreshToken)
      const { accessToken: bearer, accessValidUntil: end } = renewed
      await expectEnd(scene, bearer, end, 'the refreshed token')
    },
  },
  {
    rule: 'auth.refresh.seven-days',
    what: 'redeemed in the last minute',
    async run(scene, start) {
      const { api, clock } = scene
      const { refreshToken: bearer, refreshValidUntil } = await redeemedLate(scene, start)
      test.skip(refreshValidUntil === undefined, 'the target does not report when it expires')
      const end = refreshValidUntil ?? 0
      const lifetime = limits['refreshToken.lifetime'].value * second
      expect(end - clock.now(), 'at most seven days').toBeLessThanOrEqual(lifetime + 5 * second)
      await clock.set(end - 3 * second)
      const answer = await api.call('auth.refresh', { bearer })
      expect(answer, 'a refresh just before its own end').toBeOk()
      await clock.set(end + second)
      const late = await api.call('auth.refresh', { bearer })
      expect(late, 'a refresh just after it').toBeRefused('refresh-refused')
      const last = readToken(fields(answer)['accessToken'])
      const left = (last?.validUntil ?? end) - clock.now()
      const least = (limits['accessToken.lifetimeMinimum'].value - 30) * second
      expect(left, 'milliseconds that the last access token has left').toBeGreaterThan(least)
      await works(scene, last?.token ?? '', 'the last access token, after that end')
    },
  },
]

// What lives for minutes lives on into the next day.
const overMidnight = calendars.flatMap((calendar): readonly Row[] => {
  const what = `over midnight in ${calendar}`
  return [
    {
      rule: 'auth.redeem.issues-pair',
      what,
      async run(scene, start) {
        const pass = await beforeMidnight(scene.clock, calendar, 15)
        const redeemed = async ({ authenticationToken: bearer }: Started, when: string) => {
          const answer = await scene.api.call('auth.redeem', { bearer })
          expect(answer, `the redemption ${when}`).toBeOk()
          const access = readToken(fields(answer)['accessToken'])
          await works(scene, access?.token ?? '', `the access token redeemed ${when}`)
        }
        const begun = async (): Promise<Started> => {
          const started = await start()
          const { authenticationToken: bearer, referenceNumber } = started
          const look = await scene.api.call('auth.status', { path: { referenceNumber }, bearer })
          expect(look, 'a look at the authentication').toBeOk()
          await settleAuthentication(scene.api, started)
          return started
        }
        await redeemed(await begun(), 'on the evening before')
        const late = await begun()
        await pass()
        await redeemed(late, 'on the next day')
      },
    },
    {
      rule: 'auth.access-token.expires',
      what,
      async run(scene, start) {
        const pass = await beforeMidnight(scene.clock, calendar, 9)
        const { accessToken } = await finishLogin(scene.api, await start())
        await works(scene, accessToken, 'the access token, on the evening before')
        await pass()
        await works(scene, accessToken, 'the access token, on the next day')
      },
    },
    {
      rule: 'auth.refresh.repeatable',
      what,
      async run(scene, start) {
        const pass = await beforeMidnight(scene.clock, calendar, 9)
        const { refreshToken } = await finishLogin(scene.api, await start())
        await pass()
        const answer = await scene.api.call('auth.refresh', { bearer: refreshToken })
        expect(answer, 'a refresh on the next day').toBeOk()
        const access = readToken(fields(answer)['accessToken'])
        await works(scene, access?.token ?? '', 'its access token')
      },
    },
  ]
})

for (const [name, way] of Object.entries(ways))
  for (const { rule, what, run } of [...rows, ...overMidnight])
    test(
      ...familyRule(typeof rule === 'function' ? rule(way) : rule, way.family, `${what}, ${name}`),
      async ({ api, own, serviceToken, clock }) => {
        const scene = { api, own, serviceToken, clock }
        await run(scene, await way.prepare(scene))
      },
    )

test(
  ...familyRule('auth.access-token.expires', 'slow sign-in', 'no operation after the end'),
  async ({ login, clock }) => {
    const { api, accessValidUntil } = await login()
    await clock.set((accessValidUntil ?? 0) + second)
    for (const operation of taking('access', 'refresh-or-access'))
      for (const call of harmlessCalls(operation)) {
        const answer = await api.call(operation, call)
        expect.soft(answer, operation).toBeRefused('expired-token')
      }
  },
)
