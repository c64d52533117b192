import { refuse } from '../../base/refusals.ts'
import type { Answer } from '../../call/call.ts'
import { policy } from '../../policy/policy.ts'
import { boundToItsAddress, onlyDecoded, takenOnceEnded } from '../callers.ts'
import { foundAliveBefore, onOneDay } from '../lifetimes.ts'
import { tokensOfAnother } from '../logins-apart.ts'
import type { Mutant } from '../mutant.ts'
import { answers, bodies, refuses, refusesTyped } from '../rewrite.ts'
import { minute, week } from '../spans.ts'
import { underWay } from '../under-way.ts'

/** The first answer to each refresh token. */
const refreshed = new Map<string, Answer>()

/** When each refresh token was last accepted, by its expiry. */
const used = new Map<number, number>()

/** Of several concurrent refreshes by one token, only the first succeeds. */
const oneAtATime = (): Mutant => {
  const refreshing = new Set<string>()
  return {
    at: ['auth.refresh'],
    async call(call, next) {
      const bearer = String(call.headers['authorization'])
      if (refreshing.has(bearer)) throw refuse('refresh-refused')
      refreshing.add(bearer)
      try {
        await underWay()
        return await next(call)
      } finally {
        refreshing.delete(bearer)
      }
    },
  }
}

/** Refreshes by the token of an authentication that is not redeemed yet. */
const byUnredeemed = (): Mutant => {
  let isOther = false
  return {
    at: ['auth.refresh'],
    policy: {
      bearerFits(given, wanted) {
        isOther = given === 'authentication'
        return isOther || policy.bearerFits(given, wanted)
      },
    },
    tables: {
      authentications: {
        read: (found) => (isOther && found?.redeemedAt !== undefined ? undefined : found),
      },
    },
  }
}

/** A login refreshes only while it is one of the newest with its subject, in its context or anywhere. */
const newestOnly = (kept: number, where: 'here' | 'anywhere'): Mutant =>
  refuses(['auth.refresh'], 'refresh-refused', ({ caller, service }) => {
    if (caller === undefined) return false
    const alike = [...service.state.authentications.values()].filter(
      ({ redeemedAt, subject, context }) =>
        redeemedAt !== undefined &&
        subject?.value === caller.subject.value &&
        (where === 'anywhere' || context.value === caller.context.value),
    )
    const own = caller.authentication.referenceNumber
    return !alike.slice(-kept).some(({ referenceNumber }) => referenceNumber === own)
  })

/** How often each login was refreshed. */
const times = new Map<string, number>()

const onlySoOften = (often: number): Mutant =>
  refuses(['auth.refresh'], 'refresh-refused', ({ caller }) => {
    const login = caller?.authentication.referenceNumber ?? ''
    const before = times.get(login) ?? 0
    times.set(login, before + 1)
    return before >= often
  })

/** Access tokens that are refreshed within one second are the same text. */
const oneInASecond = (): Mutant => {
  const made = new Map<string, unknown>()
  return bodies<{ accessToken: unknown }>(['auth.refresh'], ({ accessToken }, { caller, now }) => {
    const key = `${caller?.authentication.referenceNumber} ${Math.floor(now / 1000)}`
    const first = made.get(key) ?? accessToken
    made.set(key, first)
    return { accessToken: first }
  })
}

/** Defects of refresh tokens. */
export const authRefreshMutants = {
  'auth.refresh.repeatable/until-midnight-in-Warsaw': {
    policy: { refreshTokenAlive: (until, now) => onOneDay.Warsaw(until - week, now) },
  },
  'auth.refresh.repeatable/until-midnight-in-UTC': {
    policy: { refreshTokenAlive: (until, now) => onOneDay.UTC(until - week, now) },
  },
  'auth.refresh.repeatable/once': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller }) => caller?.authentication.refreshedAt !== undefined,
  ),
  'auth.refresh.repeatable/at-its-address-only': boundToItsAddress('auth.refresh'),
  'auth.refresh.repeatable/ten-times': onlySoOften(10),
  'auth.refresh.repeatable/ten-logins': newestOnly(10, 'here'),
  'auth.refresh.repeatable/newest-login-anywhere': newestOnly(1, 'anywhere'),
  'auth.refresh.repeatable/one-at-a-time': oneAtATime(),
  'auth.refresh.repeatable/same-token-again': answers(['auth.refresh'], (answer, { headers }) => {
    const bearer = String(headers['authorization'])
    const first = refreshed.get(bearer) ?? answer
    refreshed.set(bearer, first)
    return first
  }),
  'auth.refresh.repeatable/one-token-in-a-second': oneInASecond(),
  'auth.refresh.repeatable/once-in-a-second': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller, now }) => now - (caller?.authentication.refreshedAt ?? 0) < 1_000,
  ),
  'auth.refresh.repeatable/ends-the-earlier-token': refuses(
    ['limits.context'],
    'expired-token',
    ({ caller, headers }) => {
      const [, payload = ''] = String(headers['authorization']).split('.')
      const { iat = 0 } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
        iat?: number
      }
      return Math.floor((caller?.authentication.refreshedAt ?? 0) / 1000) > iat
    },
  ),
  'auth.refresh.seven-days/two-weeks': {
    limits: { 'refreshToken.lifetime': (seconds) => 2 * seconds },
  },
  'auth.refresh.seven-days/never-expires': { policy: { refreshTokenAlive: () => true } },
  'auth.refresh.seven-days/two-minutes-early': {
    policy: { refreshTokenAlive: (until, now) => now < until - 2 * minute },
  },
  'auth.refresh.seven-days/counted-from-the-sign-in': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller, now }) => now > (caller?.authentication.startedAt ?? now) + week,
  ),
  'auth.refresh.seven-days/found-alive-before': {
    policy: { refreshTokenAlive: foundAliveBefore(policy.refreshTokenAlive) },
  },
  'auth.refresh.seven-days/access-ends-with-it': refuses(
    ['limits.context'],
    'expired-token',
    ({ caller, now }) => now > (caller?.authentication.refreshValidUntil ?? now),
  ),
  'auth.refresh.seven-days/last-access-cut-short': bodies<{
    readonly accessToken: { readonly validUntil: string }
  }>(['auth.refresh'], ({ accessToken }, { caller }) => {
    const end = caller?.authentication.refreshValidUntil ?? Infinity
    const until = Math.min(Date.parse(accessToken.validUntil), end)
    return { accessToken: { ...accessToken, validUntil: new Date(until).toISOString() } }
  }),
  'auth.refresh.seven-days/prolonged-by-use': {
    policy: {
      refreshTokenAlive(expiresAt, now) {
        const alive =
          policy.refreshTokenAlive(expiresAt, now) || now - (used.get(expiresAt) ?? 0) < week
        if (alive) used.set(expiresAt, now)
        return alive
      },
    },
  },
  'auth.refresh.wrong-bearer-refused/any-kind': {
    policy: { bearerFits: (given, wanted) => wanted.includes(given) || wanted.includes('refresh') },
  },
  'auth.refresh.wrong-bearer-refused/unredeemed-authentication': byUnredeemed(),
  'auth.refresh.wrong-bearer-refused/expired-access-token': {
    at: ['auth.refresh'],
    policy: {
      bearerFits: (given, wanted) => given === 'access' || policy.bearerFits(given, wanted),
      accessTokenAlive(expiresAt, now) {
        if (now < expiresAt) throw refuse('wrong-token')
        return true
      },
    },
  },
  'auth.refresh.wrong-bearer-refused/only-decoded': onlyDecoded('auth.refresh'),
  'auth.refresh.wrong-bearer-refused/by-its-authentication-in-the-end': takenOnceEnded(
    ['auth.refresh'],
    'authentication',
  ),
  'auth.refresh.repeatable/reads-only': refuses(
    ['sessions.openOnline'],
    'missing-permission',
    ({ caller }) => caller?.authentication.refreshedAt !== undefined,
  ),
  'auth.refresh.repeatable/newest-login-of-a-token': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller, service }) => {
      const mine = caller?.authentication
      const others = [...service.state.authentications.values()].filter(
        ({ token, redeemedAt }) => token === mine?.token && redeemedAt !== undefined,
      )
      return mine?.token !== undefined && others.at(-1)?.referenceNumber !== mine.referenceNumber
    },
  ),
  'auth.refresh.repeatable/while-the-access-token-lives': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller, now }) => {
      const { refreshedAt, redeemedAt = now } = caller?.authentication ?? {}
      return now - (refreshedAt ?? redeemedAt) > 15 * minute
    },
  ),
  'auth.refresh.repeatable/no-media-type': refusesTyped('auth.refresh'),
  'auth.refresh.repeatable/for-the-first-of-its-context': tokensOfAnother('auth.refresh', 'first'),
  'auth.refresh.repeatable/for-the-last-of-its-context': tokensOfAnother('auth.refresh', 'last'),
} as const satisfies Readonly<Record<string, Mutant>>
