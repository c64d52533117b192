import { limits } from '../../../contract/limits.ts'
import type { RuleId } from '../../../contract/rules.ts'
import { jwtPayload } from '../../../lib/codec.ts'
import {
  finishLogin,
  readToken,
  settleAuthentication,
  startWithDocument,
  startWithToken,
} from '../../../lib/flows/login.ts'
import type { Login, Started } from '../../../lib/flows/login.ts'
import { expectOk } from '../../../lib/outcome.ts'
import type { Fixtures } from '../../support/harness/fixtures.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { fields } from '../../support/steps/steps.ts'
import { expect, test } from '../../support/harness/test.ts'

/** What applies to a login, by each way to sign in. */

const minute = 60_000

const ways = {
  document: ({ api, own }: Fixtures) =>
    Promise.resolve(() => startWithDocument(api, { sign: (text) => own.document(text) })),
  async 'service token'({ api, serviceToken }: Fixtures) {
    const { context, token } = await serviceToken()
    const { type, value } = context
    return () => startWithToken(api, { context: { type, value }, token })
  },
} as const

const refresh = async ({ api }: Fixtures, { refreshToken }: Login) => {
  const answer = expectOk(await api.call('auth.refresh', { bearer: refreshToken }), 'refresh')
  return readToken(fields(answer)['accessToken'])
}

/** The entry of a login in the list of logins. */
const entryOf = async ({ api }: Fixtures, bearer: string, { referenceNumber }: Login) => {
  const rows = await pagesByToken(api.with({ bearer }), 'auth.sessions', 'items', { pageSize: 100 })
  return rows.flat().find((row) => row['referenceNumber'] === referenceNumber) ?? {}
}

const works = async ({ api }: Fixtures, bearer: string, what: string) =>
  expect(await api.call('limits.context', { bearer }), what).toBeOk()

interface Row {
  readonly rule: RuleId
  readonly what: string
  /** Takes minutes. */
  readonly later?: true
  readonly run: (fixtures: Fixtures, start: () => Promise<Started>) => Promise<void>
}

const rows: readonly Row[] = [
  {
    rule: 'auth.redeem.once',
    what: 'redeemed twice',
    async run(fixtures, start) {
      const { api, clock } = fixtures
      const started = await start()
      const login = await finishLogin(api, started)
      const again = () => api.call('auth.redeem', { bearer: login.authenticationToken })
      expect(await again()).toBeRefused('redeem-refused')
      await works(fixtures, login.accessToken, 'the access token of the first redemption')
      const renewed = await api.call('auth.refresh', { bearer: login.refreshToken })
      expect(renewed, 'a refresh after the refusal').toBeOk()
      expect(await again(), 'after a refresh').toBeRefused('redeem-refused')
      if (!clock.moves) return
      await clock.advance(6 * minute)
      expect(await again(), 'minutes later').toBeRefused('redeem-refused')
      // The tokens of the first redemption are over by then, and that of the sign-in is not.
      await clock.set(Date.parse(started.validUntil ?? '') - 5_000)
      expect(await again(), 'at the last moment').toBeRefused('redeem-refused')
    },
  },
  {
    rule: 'auth.redeem.issues-pair',
    what: 'after refused attempts',
    async run(fixtures, start) {
      const { api, clock } = fixtures
      const stands = await clock.still()
      const started = await start()
      const { referenceNumber, authenticationToken } = started
      const stranger = await start()
      for (const [operation, options] of [
        ['auth.redeem', { bearer: authenticationToken }],
        ['auth.refresh', { bearer: authenticationToken }],
        ['auth.sessions', { bearer: authenticationToken }],
        ['auth.revoke', { bearer: authenticationToken, path: { referenceNumber } }],
        ['auth.status', { bearer: stranger.authenticationToken, path: { referenceNumber } }],
      ] as const) {
        const answer = await api.call(operation, options)
        // On a running clock, the authentication may have succeeded already.
        test.skip(operation === 'auth.redeem' && answer.status === 200, 'it was not early')
        expect(answer, operation).toBeClientError()
      }
      if (stands) await clock.advance(minute)
      await settleAuthentication(api, started)
      const redeemed = await api.call('auth.redeem', { bearer: authenticationToken })
      expect(redeemed, 'the redemption in time').toBeOk()
      const { accessToken, refreshToken } = fields(redeemed)
      const [access = '', bearer = ''] = [accessToken, refreshToken].map(
        (one) => readToken(one)?.token,
      )
      for (const wrong of [access, authenticationToken, null])
        expect(await api.call('auth.refresh', { bearer: wrong }), 'a refresh').toBeClientError()
      await works(fixtures, access, 'the access token, after refused attempts')
      expect(await api.call('auth.refresh', { bearer }), 'the refresh token').toBeOk()
    },
  },
  {
    rule: 'auth.status.wrong-bearer-refused',
    what: 'status by another login of the same caller, and by its own tokens',
    async run({ api }, start) {
      const both = [await start(), await start()] as const
      for (const [whose, by] of [both, both.toReversed() as [Started, Started]]) {
        const path = { referenceNumber: whose.referenceNumber }
        const look = (bearer: string) => api.call('auth.status', { path, bearer })
        expect(await look(by.authenticationToken)).toBeRefused('wrong-token')
        expect(await look(whose.authenticationToken), 'with its own token').toBeOk()
        const { accessToken, refreshToken } = await finishLogin(api, whose)
        for (const bearer of [accessToken, refreshToken])
          expect(await look(bearer), 'with a token it was redeemed for').toBeRefused('wrong-token')
      }
    },
  },
  {
    rule: 'auth.redeem.not-after-expiry',
    what: 'redeemed after the stated expiry',
    async run({ api, clock }, start) {
      const started = await start()
      await settleAuthentication(api, started)
      await clock.set(Date.parse(started.validUntil ?? '') + 1_000)
      const { authenticationToken: bearer } = started
      const answer = await api.call('auth.redeem', { bearer })
      expect(answer).toBeRefused('expired-authentication-token')
    },
  },
  {
    rule: 'auth.refresh.repeatable',
    what: 'access token from before a refresh',
    later: true,
    async run(fixtures, start) {
      const login = await finishLogin(fixtures.api, await start())
      await fixtures.clock.advance(5 * minute)
      const renewed = await refresh(fixtures, login)
      await works(fixtures, login.accessToken, 'the earlier access token, which is still valid')
      await works(fixtures, renewed?.token ?? '', 'the new access token')
    },
  },
  {
    rule: 'auth.refresh.seven-days',
    what: 'refreshed in between',
    async run(fixtures, start) {
      const { api, clock } = fixtures
      const login = await finishLogin(api, await start())
      const end = login.refreshValidUntil
      test.skip(end === undefined, 'the target does not report the expiry of the refresh token')
      // Neither an early nor a late use extends it.
      for (const left of [5 * 24 * 60 * minute, minute]) {
        await clock.set((end ?? 0) - left)
        await refresh(fixtures, login)
      }
      await clock.set((end ?? 0) + 5_000)
      const answer = await api.call('auth.refresh', { bearer: login.refreshToken })
      expect(answer).toBeRefused('refresh-refused')
    },
  },
  {
    rule: 'auth.access-token.jwt-lifetime',
    what: 'lifetime of a refreshed access token',
    later: true,
    async run(fixtures, start) {
      const login = await finishLogin(fixtures.api, await start())
      for (const which of ['first', 'second']) {
        await fixtures.clock.advance(10 * minute)
        const renewed = await refresh(fixtures, login)
        const lifetime = ((renewed?.validUntil ?? 0) - fixtures.clock.now()) / 1000
        expect(lifetime, `seconds until it expires, ${which} refresh`).toBeGreaterThan(
          limits['accessToken.lifetimeMinimum'].value - 30,
        )
        const stated = (renewed?.validUntil ?? 0) / 1000
        const { exp } = jwtPayload(fixtures.api.codec, renewed?.token ?? '') ?? {}
        expect(Math.abs(stated - Number(exp)), 'seconds between both expiries').toBeLessThan(1)
        await fixtures.clock.advance(10 * minute)
        const what = `the new access token, ten minutes after the ${which} refresh`
        await works(fixtures, renewed?.token ?? '', what)
      }
    },
  },
  {
    rule: 'auth.sessions.listed',
    what: 'redeemed in another order',
    async run({ api, clock }, start) {
      const first = await start()
      await clock.pass(minute)
      const second = await start()
      const { accessToken: bearer } = await finishLogin(api, second)
      await clock.pass(minute)
      const { refreshToken } = await finishLogin(api, first)
      await clock.pass(minute)
      expect(await api.call('auth.refresh', { bearer: refreshToken }), 'a refresh').toBeOk()
      const query = { pageSize: 100 }
      const pages = await pagesByToken(api.with({ bearer }), 'auth.sessions', 'items', query)
      const both = [second, first].map(({ referenceNumber }) => referenceNumber)
      const listed = pages.flat().map((row) => String(row['referenceNumber']))
      expect(
        listed.filter((one) => both.includes(one)),
        'logins by their start, newest first',
      ).toEqual(both)
    },
  },
  {
    rule: 'auth.sessions.described',
    what: 'dates after two refreshes',
    later: true,
    async run(fixtures, start) {
      const { api, clock } = fixtures
      const login = await finishLogin(api, await start())
      const since = (entry: Readonly<Record<string, unknown>>, name: string) =>
        Math.round((clock.now() - Date.parse(String(entry[name]))) / minute)
      for (const round of [1, 2]) {
        await clock.advance(5 * minute)
        const renewed = await refresh(fixtures, login)
        await clock.advance(3 * minute)
        const entry = await entryOf(fixtures, renewed?.token ?? '', login)
        expect(since(entry, 'lastTokenRefreshDate'), `minutes since refresh ${round}`).toBe(3)
        expect(since(entry, 'startDate'), 'minutes since the login').toBe(8 * round)
        expect(entry['isCurrent'], 'it is the current one').toBe(true)
        const end = Date.parse(String(entry['refreshTokenValidUntil']))
        const moved = Math.abs(end - (login.refreshValidUntil ?? 0))
        expect(moved, 'the expiry moved by').toBeLessThan(1_000)
      }
    },
  },
]

const familyBy = {
  document: ['sign-in', 'later sign-in'],
  'service token': ['sign-in with a service token', 'later sign-in with a service token'],
} as const

for (const name of Object.keys(ways) as (keyof typeof ways)[])
  for (const { rule, what, later, run } of rows)
    test(
      ...familyRule(rule, familyBy[name][later ? 1 : 0], `${what}, ${name}`),
      async ({ api, own, serviceToken, clock }) => {
        const fixtures = { api, own, serviceToken, clock } as Fixtures
        await run(fixtures, await ways[name](fixtures))
      },
    )

test(
  ...familyRule('auth.xades.context-kinds', 'sign-in', 'in the context that was asked for'),
  async ({ open, login, limited, another }) => {
    const { session } = await open()
    // A caller who has another context, and permissions in this one.
    const visitor = await limited(['InvoiceWrite', 'Introspection'])
    const list = await visitor.api.call('sessions.list', { query: { sessionType: 'Online' } })
    expect(list).toBeOk()
    expect(list.text, 'the sessions of that context').toContain(session.referenceNumber)
    const stranger = await login({ context: await another() })
    const other = await stranger.api.call('sessions.list', { query: { sessionType: 'Online' } })
    expect(other.text, 'the sessions of another').not.toContain(session.referenceNumber)
  },
)

test(
  ...familyRule('auth.sessions.listed', 'sign-in', 'continuation token of a colleague'),
  async ({ login, limited }) => {
    const me = await login()
    for (let count = 0; count < 10; count += 1) await login()
    const first = await me.api.call('auth.sessions', { query: { pageSize: 10 } })
    const token = fields(expectOk(first, 'list the logins'))['continuationToken']
    expect(token, 'a continuation token').toEqual(expect.stringMatching(/\S/))
    const colleague = await limited(['InvoiceRead'])
    test.skip(colleague.api.identity.by === 'token', 'the target offers no second person')
    const headers = { 'x-continuation-token': String(token) }
    const answer = await colleague.api.call('auth.sessions', { query: { pageSize: 10 }, headers })
    expect(answer).toBeRefused('continuation-token-malformed')
  },
)
