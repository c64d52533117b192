import type { RuleId } from '../../../contract/rules.ts'
import {
  fetchChallenge,
  finishLogin,
  readStarted,
  readToken,
  tokenLoginBody,
} from '../../../lib/flows/login.ts'
import type { Started } from '../../../lib/flows/login.ts'
import { hold } from '../../support/scenes/delayed.ts'
import type { Fixtures as All } from '../../support/harness/fixtures.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { fields, reported } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** Logins of one caller, started at one instant and used in turn: none ends, replaces or hinders another. */

type Fixtures = Pick<All, 'api' | 'own' | 'serviceToken'>

const ways = {
  document: ({ api, own }: Fixtures) =>
    Promise.resolve(async () => {
      const { challenge } = await fetchChallenge(api)
      return api.call('auth.xades', { body: await own.document(challenge) })
    }),
  async 'service token'({ api, serviceToken }: Fixtures) {
    const { context, token } = await serviceToken()
    const login = { context: { type: context.type, value: context.value }, token }
    return async () => {
      const body = await tokenLoginBody(api, login, await fetchChallenge(api))
      return api.call('auth.token', { body, media: 'application/json; charset=utf-8' })
    }
  },
} as const

const rows: readonly (readonly [RuleId, keyof typeof ways])[] = [
  ['auth.status.moves-forward', 'document'],
  ['auth.redeem.issues-pair', 'document'],
  ['auth.refresh.repeatable', 'document'],
  ['auth.refresh.repeatable', 'service token'],
  ['auth.token.accepted', 'service token'],
]

for (const [rule, way] of rows)
  test(
    ...familyRule(
      rule,
      way === 'document' ? 'login beside another' : 'login beside another with a service token',
      way,
    ),
    async ({ api, own, serviceToken, clock }) => {
      const start = await ways[way]({ api, own, serviceToken })
      const stands = await clock.still()
      const started: Started[] = []
      while (started.length < 3) {
        const answer = await start()
        expect(answer, 'the start of a login beside others').toBeOk()
        started.push(readStarted(answer, 'authenticate'))
      }
      if (stands) await clock.advance(60_000)
      const logins = []
      for (const one of started) {
        logins.push(await finishLogin(api, one))
        await clock.pass(60_000)
      }
      for (const [place, { accessToken, refreshToken }] of logins.entries()) {
        const which = `login ${place + 1} of ${logins.length}`
        const { referenceNumber, authenticationToken } = started[place]!
        const path = { referenceNumber }
        const look = await api.call('auth.status', { path, bearer: authenticationToken })
        expect(look, `the status of ${which}`).toBeOk()
        expect(reported(look), which).toBeInState('authentication', 200)
        const call = await api.call('limits.context', { bearer: accessToken })
        expect(call, `a call of ${which}`).toBeOk()
        const renewed = await api.call('auth.refresh', { bearer: refreshToken })
        expect(renewed, `a refresh of ${which}`).toBeOk()
      }
    },
  )

for (const [rule, way, family] of [
  ['auth.xades.accepted', 'document', 'login while another is in progress'],
  [
    'auth.token.accepted',
    'service token',
    'login while another with its service token is in progress',
  ],
] as const)
  test(...familyRule(rule, family), async ({ api, own, serviceToken, target, clock }) => {
    const start = await ways[way]({ api, own, serviceToken })
    const done = await hold({ target, clock }, 'authentication')
    const started: Started[] = []
    for (const which of ['first', 'second']) {
      const answer = await start()
      expect(answer, `the ${which} login`).toBeOk()
      started.push(readStarted(answer, 'authenticate'))
    }
    const [first, second] = started
    expect(second?.referenceNumber, 'another reference number').not.toBe(first?.referenceNumber)
    const expectState = async (code: number) => {
      for (const [place, { referenceNumber, authenticationToken: bearer }] of started.entries()) {
        const look = await api.call('auth.status', { path: { referenceNumber }, bearer })
        expect(look, `the status of login ${place + 1}`).toBeOk()
        expect(reported(look), `login ${place + 1}`).toBeInState('authentication', code)
      }
    }
    await expectState(100)
    await done()
    await expectState(200)
    // The later one first: it takes nothing from the other.
    for (const { authenticationToken } of started.toReversed()) {
      const redeemed = await api.call('auth.redeem', { bearer: authenticationToken })
      expect(redeemed, 'the redemption').toBeOk()
      const { token: bearer = '' } = readToken(fields(redeemed)['accessToken']) ?? {}
      expect(await api.call('limits.context', { bearer }), 'a call with its token').toBeOk()
    }
  })
