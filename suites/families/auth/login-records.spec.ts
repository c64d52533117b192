import type { Client } from '../../../lib/client.ts'
import {
  fetchChallenge,
  finishLogin,
  readStarted,
  settleAuthentication,
  startWithDocument,
  tokenLoginBody,
} from '../../../lib/flows/login.ts'
import type { Login, Started } from '../../../lib/flows/login.ts'
import { expectObject, expectOk } from '../../../lib/outcome.ts'
import { meaningOf, meaningOfRow } from '../../support/answers/meaning.ts'
import { pagesByToken } from '../../support/answers/paged-lists.ts'
import type { Row } from '../../support/answers/paged-lists.ts'
import { familyRule } from '../../support/checks/rule.ts'
import { mintToken } from '../../support/callers/service-token.ts'
import { expect, test } from '../../support/harness/test.ts'

/**
 * What the service reports about logins: several, by different methods and at different times, some redeemed and
 * refreshed. The status of an authentication and its row in the list of logins report the same.
 */

const minute = 60_000

/** What was done with a login, and when; instants of the service. */
interface Done {
  readonly name: string
  readonly started: Started
  readonly category: 'XadesSignature' | 'Token'
  readonly startedAt: number
  redeemedUntil?: number | undefined
  refreshedAt?: number
}

const statusOfLogin = async (api: Client, { started }: Done): Promise<Row> =>
  expectObject(
    await api.call('auth.status', {
      path: { referenceNumber: started.referenceNumber },
      bearer: started.authenticationToken,
    }),
    'read the status of an authentication',
  )

/** The dates that differ from the expected ones, with the difference in minutes. */
const wrongDates = (record: Row, dates: Readonly<Record<string, number | undefined>>): string[] =>
  Object.entries(dates).flatMap(([name, wanted]) => {
    const shown = record[name]
    if (typeof shown !== 'string') return wanted === undefined ? [] : [`${name}: none`]
    if (wanted === undefined) return [`${name}: ${shown}`]
    const difference = Math.abs(Date.parse(shown) - wanted)
    return difference < minute ? [] : [`${name}: ${difference / minute} minutes off`]
  })

/** Expects a record to report what was done with the login. */
const expectTrue = (record: Row, done: Done, where: string): void => {
  const { name, category, startedAt, redeemedUntil, refreshedAt } = done
  const of = `${name}, ${where}`
  const info = (record['authenticationMethodInfo'] ?? {}) as Row
  expect.soft(info['category'], `the category of the method: ${of}`).toBe(category)
  const byToken = (record['authenticationMethod'] ?? category) === 'Token'
  expect.soft(byToken, `a token in the deprecated field: ${of}`).toBe(category === 'Token')
  expect
    .soft(record['isTokenRedeemed'] ?? false, `redeemed: ${of}`)
    .toBe(redeemedUntil !== undefined)
  const dates = {
    startDate: startedAt,
    refreshTokenValidUntil: redeemedUntil,
    lastTokenRefreshDate: refreshedAt,
  }
  expect.soft(wrongDates(record, dates), `wrong dates: ${of}`).toEqual([])
}

/** Fields that a status and a row of the list share. */
const shared = [
  'startDate',
  'authenticationMethod',
  'authenticationMethodInfo',
  'status',
  'isTokenRedeemed',
  'lastTokenRefreshDate',
  'refreshTokenValidUntil',
] as const

const sharedOf = (record: Row | undefined) =>
  Object.fromEntries(shared.map((name) => [name, record?.[name] ?? null]))

test(
  ...familyRule('auth.sessions.described', 'record of a login'),
  async ({ api, login, own, clock, target }) => {
    test.skip(own.by === 'token', 'the target offers no certificate of the context')
    const me = await login()
    const { token } = await mintToken(me)
    const { type, value } = own
    const begin = async (name: string, category: Done['category']): Promise<Done> => {
      const challenge = await fetchChallenge(api)
      const answer =
        category === 'Token'
          ? await api.call('auth.token', {
              body: await tokenLoginBody(api, { context: { type, value }, token }, challenge),
            })
          : await api.call('auth.xades', { body: await own.document(challenge.challenge) })
      const startedAt = target.now()
      const started = readStarted(answer, 'authenticate')
      await settleAuthentication(api, started)
      await clock.advance(2 * minute)
      return { name, started, category, startedAt }
    }
    const open = await begin('not redeemed', 'XadesSignature')
    const logins = [
      await begin('redeemed', 'XadesSignature'),
      await begin('by token', 'Token'),
      await begin('refreshed', 'XadesSignature'),
      await begin('by token, refreshed', 'Token'),
    ]
    for (const one of logins) {
      const { refreshToken, refreshValidUntil } = await finishLogin(api, one.started)
      one.redeemedUntil = refreshValidUntil
      await clock.advance(2 * minute)
      if (!one.name.endsWith('refreshed')) continue
      expectOk(await api.call('auth.refresh', { bearer: refreshToken }), 'refresh a login')
      one.refreshedAt = target.now()
      await clock.advance(2 * minute)
    }
    for (const one of [open, ...logins])
      expectTrue(await statusOfLogin(api, one), one, 'in its status')
    const { api: mine } = await login()
    const rows = (await pagesByToken(mine, 'auth.sessions', 'items', { pageSize: 100 })).flat()
    for (const one of logins) {
      const { referenceNumber } = one.started
      const row = rows.find((found) => found['referenceNumber'] === referenceNumber)
      expectTrue(row ?? {}, one, 'in the list')
      const status = await statusOfLogin(api, one)
      const listed = sharedOf(meaningOfRow('auth.sessions', 'items', row))
      const reported = sharedOf(meaningOf('auth.status', status) as Row)
      expect.soft(listed, `list and status: ${one.name}`).toEqual(reported)
    }
  },
)

test(
  ...familyRule('auth.sessions.listed', 'record of a login', 'of one instant, over two pages'),
  async ({ api, own, login, clock }) => {
    await clock.still()
    const started: Started[] = []
    while (started.length < 12)
      started.push(await startWithDocument(api, { sign: (text) => own.document(text) }))
    await clock.advance(minute)
    const logins: Login[] = []
    for (const one of started) logins.push(await finishLogin(api, one))
    const me = await login()
    const pages = await pagesByToken(me.api, 'auth.sessions', 'items', { pageSize: 10 })
    const known = new Set(logins.map(({ referenceNumber }) => referenceNumber))
    const listed = pages.flat().map((row) => String(row['referenceNumber']))
    expect(
      listed.filter((one) => known.has(one)).toSorted(),
      'logins that started at the same instant, each once',
    ).toEqual([...known].toSorted())
  },
)
