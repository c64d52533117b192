import type { Client } from '../../lib/client.ts'
import { settleAuthentication, startWithDocument } from '../../lib/flows/login.ts'
import type { Login } from '../../lib/flows/login.ts'
import { grantInTest } from '../support/callers/grants.ts'
import { covering } from '../support/coverage/matrices.ts'
import { pagesByToken } from '../support/answers/paged-lists.ts'
import type { Row } from '../support/answers/paged-lists.ts'
import { personAt } from '../support/callers/people.ts'
import { rule } from '../support/checks/rule.ts'
import { fields, reported } from '../support/steps/steps.ts'
import { expect, test } from '../support/harness/test.ts'
import { inTwoContexts } from '../support/scenes/two-contexts.ts'

/** Contexts may be shared, so that a check looks at its own logins only. */

const minute = 60_000

const listLogins = async (api: Client, pageSize = 100): Promise<readonly Row[]> =>
  (await pagesByToken(api, 'auth.sessions', 'items', { pageSize })).flat()

const referenceOf = ({ referenceNumber }: Row | Login): string => String(referenceNumber)

/** The given logins that are listed, in the order of the list. */
const found = async (api: Client, logins: readonly Login[], pageSize?: number) => {
  const known = new Set(logins.map(referenceOf))
  return (await listLogins(api, pageSize)).map(referenceOf).filter((one) => known.has(one))
}

const entryOf = async (api: Client, login: Login): Promise<Row | undefined> =>
  (await listLogins(api)).find((row) => referenceOf(row) === login.referenceNumber)

test(...rule('auth.sessions.listed', 'own'), async ({ login }) => {
  const [first, second, third] = [await login(), await login(), await login()]
  expect(
    await found(second.api, [first, second, third]),
    'logins of one subject in one context, newest first',
  ).toEqual([third, second, first].map(referenceOf))
})

test(
  ...rule('auth.sessions.listed', 'another subject'),
  async ({ api, login, own, rng, target }) => {
    const me = await login()
    const person = personAt(own, rng, target)
    await grantInTest(api, own, person.subject, ['InvoiceRead', 'Introspection'])
    const visitor = await login({ context: person.context })
    expect(await found(me.api, [me, visitor]), 'logins that the owner sees').toEqual([
      referenceOf(me),
    ])
    expect(await found(visitor.api, [me, visitor]), 'logins that the visitor sees').toEqual([
      referenceOf(visitor),
    ])
  },
)

test(
  ...rule('auth.sessions.listed', 'another context'),
  async ({ api, login, own, another, rng, target }) => {
    const { here, there } = await inTwoContexts({ api, login, own, another, rng, target })
    expect(await found(here.api, [here, there]), 'logins of the subject here').toEqual([
      referenceOf(here),
    ])
  },
)

test(...rule('auth.sessions.listed', 'not redeemed'), async ({ api, login, own }) => {
  const me = await login()
  const started = await startWithDocument(api, { sign: (challenge) => own.document(challenge) })
  await settleAuthentication(api, started)
  const listed = (await listLogins(me.api)).map(referenceOf)
  expect(listed, 'the redeemed login').toContain(me.referenceNumber)
  expect(listed, 'logins, one of them not redeemed').not.toContain(started.referenceNumber)
})

test(...rule('auth.sessions.listed', 'expired'), async ({ login, clock }) => {
  const old = await login()
  test.skip(
    old.refreshValidUntil === undefined,
    'the target does not report the expiry of the refresh token',
  )
  await clock.set((old.refreshValidUntil ?? 0) - minute)
  const late = await login()
  // Its refresh token lasts no longer for that.
  const again = await old.api.call('auth.refresh', { bearer: old.refreshToken })
  expect(again, 'a refresh before its end').toBeOk()
  expect(await found(late.api, [old, late]), 'a minute before its end').toHaveLength(2)
  await clock.set((old.refreshValidUntil ?? 0) + 5_000)
  const me = await login()
  expect(await found(me.api, [old, late, me]), 'after the first login has expired').toEqual(
    [me, late].map(referenceOf),
  )
})

test(...rule('auth.sessions.listed', 'pages'), async ({ login }) => {
  const logins: Login[] = []
  while (logins.length < 11) logins.push(await login())
  const me = await login()
  const all = [...logins, me]
  const pages = await pagesByToken(me.api, 'auth.sessions', 'items', { pageSize: 10 })
  expect(Math.max(...pages.map(({ length }) => length)), 'entries on the longest page').toBe(10)
  const known = new Set(all.map(referenceOf))
  const listed = pages.flat().map(referenceOf)
  expect(
    listed.filter((one) => known.has(one)),
    'each once over all pages, newest first',
  ).toEqual(all.toReversed().map(referenceOf))
})

test(...rule('auth.sessions.listed', 'foreign continuation token'), async ({ login }) => {
  const { api } = await login()
  const headers = { 'x-continuation-token': 'bm8gdG9rZW4=' }
  expect(await api.call('auth.sessions', { headers })).toBeRefused('continuation-token-malformed')
})

test(...rule('auth.sessions.described', 'current'), async ({ login }) => {
  const [one, other] = [await login(), await login()]
  for (const [me, another] of [
    [one, other],
    [other, one],
  ] as const) {
    expect((await entryOf(me.api, me))?.['isCurrent'], 'of the current login').toBe(true)
    expect((await entryOf(me.api, another))?.['isCurrent'] ?? false, 'of the other login').toBe(
      false,
    )
  }
})

test(...rule('auth.sessions.described', 'state and dates'), async ({ login, target }) => {
  const me = await login()
  const entry = await entryOf(me.api, me)
  expect(entry, 'the login in the list').toMatchObject({
    status: { code: 200 },
    isTokenRedeemed: true,
  })
  expect(
    Math.abs(Date.parse(String(entry?.['startDate'])) - target.now()),
    'milliseconds since its start',
  ).toBeLessThan(10 * minute)
  expect(
    Math.abs(Date.parse(String(entry?.['refreshTokenValidUntil'])) - (me.refreshValidUntil ?? 0)),
    'milliseconds between the listed expiry and that of the refresh token',
  ).toBeLessThan(1_000)
  expect(
    entry?.['lastTokenRefreshDate'] ?? null,
    'the last refresh before the first one',
  ).toBeNull()
})

test(...rule('auth.sessions.described', 'last refresh'), async ({ api, login, clock, target }) => {
  const me = await login()
  await clock.advance(5 * minute)
  expect(await api.call('auth.refresh', { bearer: me.refreshToken })).toBeOk()
  await clock.advance(5 * minute)
  const entry = await entryOf(me.api, me)
  const ago = (name: string) => (target.now() - Date.parse(String(entry?.[name]))) / minute
  expect(ago('lastTokenRefreshDate'), 'minutes since the refresh').toBeGreaterThan(4)
  expect(ago('lastTokenRefreshDate'), 'minutes since the refresh').toBeLessThan(7)
  expect(ago('startDate'), 'minutes since the login').toBeGreaterThan(9)
  const last = me.refreshValidUntil ?? 0
  expect(
    Math.abs(Date.parse(String(entry?.['refreshTokenValidUntil'])) - last),
    'milliseconds by which the refresh changed the expiry',
  ).toBeLessThan(1_000)
})

test(...rule('auth.sessions.described', 'method'), async ({ login, own, serviceToken }) => {
  test.skip(own.by === 'token', 'the target offers no certificate of the context')
  const { me, token, context } = await serviceToken()
  const byToken = await login({ context, token })
  const method = async (made: Login) => {
    const entry = await entryOf(me.api, made)
    return (entry?.['authenticationMethodInfo'] ?? {}) as Row
  }
  expect((await method(byToken))['category'], 'of a login by service token').toBe('Token')
  expect((await method(me))['category'], 'of a login by document').not.toBe('Token')
  const deprecated = (await entryOf(me.api, byToken))?.['authenticationMethod'] ?? 'Token'
  expect(deprecated, 'the deprecated field of the method').toBe('Token')
})

const refused = async (api: Client, { refreshToken }: Login) =>
  expect(await api.call('auth.refresh', { bearer: refreshToken })).toBeRefused('refresh-refused')

const works = async (api: Client, { refreshToken }: Login, what: string) =>
  expect(await api.call('auth.refresh', { bearer: refreshToken }), what).toBeOk()

for (const [what, bearerOf] of [
  ['access token', ({ accessToken }: Login) => accessToken],
  ['refresh token', ({ refreshToken }: Login) => refreshToken],
] as const) {
  const revoked = covering('bearer', { column: 'revoked' })
  test(...rule('auth.sessions.ended', `current, ${what}`, revoked), async ({ api, login }) => {
    const [me, other] = [await login(), await login()]
    await works(api, me, 'a refresh before the end')
    expect(await me.api.call('auth.revokeCurrent', { bearer: bearerOf(me) })).toBeOk()
    await refused(api, me)
    await works(api, other, 'a refresh of another login')
    expect(await found(other.api, [me, other]), 'remaining logins').toEqual([referenceOf(other)])
    expect(await me.api.call('limits.context'), 'the access token until it expires').toBeOk()
  })
}

test(...rule('auth.sessions.ended', 'other'), async ({ api, login }) => {
  const [me, other, third] = [await login(), await login(), await login()]
  const path = { referenceNumber: other.referenceNumber }
  expect(await me.api.call('auth.revoke', { path })).toBeOk()
  await refused(api, other)
  await works(api, me, 'a refresh of the login that asked')
  await works(api, third, 'a refresh of a third one')
  expect(await found(me.api, [me, other, third]), 'remaining logins').toEqual(
    [third, me].map(referenceOf),
  )
  expect(await other.api.call('limits.context'), 'its access token until it expires').toBeOk()
  const itself = await me.api.call('auth.revoke', {
    path: { referenceNumber: me.referenceNumber },
  })
  expect(itself, 'the end of the login that asks').toBeOk()
  await refused(api, me)
  await works(api, third, 'a refresh of the one that is left')
})

test(...rule('auth.sessions.ended', 'reported state'), async ({ api, login }) => {
  const [me, other] = [await login(), await login()]
  const path = { referenceNumber: other.referenceNumber }
  const look = () => api.call('auth.status', { path, bearer: other.authenticationToken })
  expect(reported(await look()), 'before').toBeInState('authentication', 200)
  expect(await me.api.call('auth.revoke', { path })).toBeOk()
  expect(reported(await look()), 'revoked').toBeInState('authentication', 425)
  await refused(api, other)
  expect(fields(await look())['isTokenRedeemed'] ?? true, 'the tokens are valid').toBe(true)
})

test(
  ...rule('auth.sessions.ended', 'of another subject'),
  async ({ api, login, own, rng, target }) => {
    const me = await login()
    const person = personAt(own, rng, target)
    await grantInTest(api, own, person.subject, ['InvoiceRead', 'CredentialsManage'])
    const visitor = await login({ context: person.context })
    for (const [who, whose] of [
      [visitor, me],
      [me, visitor],
    ] as const) {
      const path = { referenceNumber: whose.referenceNumber }
      expect(await who.api.call('auth.revoke', { path })).toBeRefused('authentication-unknown')
      await works(api, whose, 'a refresh after the attempt')
    }
  },
)

test(
  ...rule('auth.sessions.ended', 'same subject in another context'),
  async ({ api, login, own, another, rng, target }) => {
    const { here, there } = await inTwoContexts({ api, login, own, another, rng, target })
    const path = { referenceNumber: there.referenceNumber }
    expect(await here.api.call('auth.revoke', { path })).toBeRefused('authentication-unknown')
    await works(api, there, 'a refresh after the attempt')
    expect(await here.api.call('auth.revokeCurrent')).toBeOk()
    await works(api, there, 'a refresh after the end of the login here')
  },
)

test(...rule('auth.sessions.ended', 'of another context'), async ({ api, login, another }) => {
  const me = await login()
  const other = await login({ context: await another() })
  const path = { referenceNumber: me.referenceNumber }
  expect(await other.api.call('auth.revoke', { path })).toBeRefused('authentication-unknown')
  await works(api, me, 'a refresh after the attempt')
})

test(...rule('auth.sessions.ended', 'unknown'), async ({ login, unissued }) => {
  const { api } = await login()
  const path = { referenceNumber: unissued('authentication') }
  expect(await api.call('auth.revoke', { path })).toBeRefused('authentication-unknown')
})
