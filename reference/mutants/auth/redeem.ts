import { refuse } from '../../base/refusals.ts'
import { reached } from '../../base/wording.ts'
import type { Authentication } from '../../model/entities.ts'
import { keyOf } from '../../model/entities.ts'
import type { State } from '../../model/state.ts'
import { policy } from '../../policy/policy.ts'
import { boundToItsAddress, onlyDecoded, takenOnceEnded } from '../callers.ts'
import { byTimeOfDay, foundAliveBefore } from '../lifetimes.ts'
import { tokensOfAnother } from '../logins-apart.ts'
import type { Mutant } from '../mutant.ts'
import { bodies, calls, changesWhereRefused, decidedBy, refusesTyped } from '../rewrite.ts'
import { minute } from '../spans.ts'

const unredeemed = ({ redeemedAt: _, ...login }: Authentication): Authentication => login

/** Some authentications are redeemed while they are in progress. */
const tooEarly = (isSuch: (login: Authentication, all: Iterable<Authentication>) => boolean) =>
  calls(['auth.redeem'], (call) => {
    const login = call.caller?.authentication
    const early =
      login?.status.code === 100 && isSuch(login, call.service.state.authentications.values())
    return early ? decidedBy(call, { redeemAllowed: (code) => code <= 200 }) : call
  })

/** A redemption that comes too early is refused, but ends some authentications without their checks. */
const endedByAnAttempt = (isSuch: (login: Authentication) => boolean): Mutant =>
  changesWhereRefused(['auth.redeem'], ({ caller, service }) => {
    const login = caller?.authentication
    if (login?.status.code === 100 && isSuch(login))
      service.state.authentications.put({ ...login, status: reached('authentication', 200) })
  })

/** Logins with a revoked token do not redeem. */
const withoutToken = ({ token: _, ...login }: Authentication): Authentication => login

/** The end of some logins forgets that their tokens were issued, so that they redeem again. */
const againAfterItsEnd = (isSuch: (login: Authentication, state: State) => boolean): Mutant =>
  calls(['auth.redeem'], (call) => {
    const { state } = call.service
    const login = call.caller?.authentication
    if (login?.redeemedAt === undefined || !isSuch(login, state)) return call
    const again = { ...withoutToken(unredeemed(login)), status: reached('authentication', 200) }
    state.authentications.put(again)
    return { ...call, caller: { ...call.caller!, authentication: again } }
  })

/** An access token redeems another authentication of its subject, if one waits for it. */
const redeemsAnother: Mutant = {
  at: ['auth.redeem'],
  policy: {
    bearerFits: (given, wanted) => given === 'access' || policy.bearerFits(given, wanted),
  },
  call(call, next) {
    const { caller, service } = call
    if (caller?.authentication.redeemedAt === undefined) return next(call)
    const waiting = [...service.state.authentications.values()].find(
      ({ subject, status, redeemedAt }) =>
        subject?.value === caller.subject.value && status.code === 200 && redeemedAt === undefined,
    )
    if (waiting === undefined) throw refuse('wrong-token')
    return next({ ...call, caller: { ...caller, authentication: waiting } })
  },
}

const byRefreshToken = takenOnceEnded(['auth.redeem'], 'refresh')

/** Defects of how an authentication becomes tokens. */
export const authRedeemMutants = {
  'auth.redeem.not-before-success/too-early': { policy: { redeemAllowed: (code) => code <= 200 } },
  'auth.redeem.not-before-success/too-early-by-token': tooEarly(({ method }) => method === 'Token'),
  'auth.redeem.not-before-success/too-early-after-another-login': tooEarly(
    ({ method, context }, all) =>
      [...all].some(
        (one) =>
          one.method === method &&
          one.redeemedAt !== undefined &&
          keyOf(one.context) === keyOf(context),
      ),
  ),
  'auth.redeem.not-before-success/attempt-ends-documents': endedByAnAttempt(
    ({ method }) => method !== 'Token',
  ),
  'auth.redeem.not-before-success/attempt-ends-tokens': endedByAnAttempt(
    ({ method }) => method === 'Token',
  ),
  'auth.redeem.issues-pair/no-refresh-token': bodies(['auth.redeem'], { refreshToken: undefined }),
  'auth.redeem.issues-pair/no-refresh-token-for-tokens-of-units': bodies(
    ['auth.redeem'],
    (_, { caller }) =>
      caller?.authentication.method === 'Token' && caller.context.type === 'InternalId'
        ? { refreshToken: undefined }
        : {},
  ),
  'auth.redeem.issues-pair/at-its-address-only': boundToItsAddress('auth.redeem'),
  'auth.redeem.issues-pair/used-up-by-an-early-attempt': {
    at: ['auth.redeem'],
    call(call, next) {
      const login = call.caller?.authentication
      if (login?.status.code === 100)
        call.service.state.authentications.put({ ...login, redeemedAt: call.now })
      return next(call)
    },
  },
  'auth.redeem.not-after-expiry/after-expiry': {
    also: ['auth.status.wrong-bearer-refused'],
    policy: { authenticationTokenAlive: () => true },
  },
  'auth.redeem.not-after-expiry/two-minutes-early': {
    policy: { authenticationTokenAlive: (until, now) => now < until - 2 * minute },
  },
  'auth.redeem.not-after-expiry/found-alive-before': {
    policy: { authenticationTokenAlive: foundAliveBefore(policy.authenticationTokenAlive) },
  },
  'auth.redeem.issues-pair/times-of-day-compared': {
    policy: { authenticationTokenAlive: byTimeOfDay(0) },
  },
  'auth.redeem.issues-pair/times-of-day-in-Warsaw-compared': {
    policy: { authenticationTokenAlive: byTimeOfDay(120 * minute) },
  },
  'auth.redeem.once/twice': { policy: { redeemedBefore: () => false } },
  'auth.redeem.once/refusal-ends-the-login': calls(['auth.redeem'], (call) => {
    const { authentications } = call.service.state
    const login = authentications.get(call.caller?.authentication.referenceNumber ?? '')
    if (login?.redeemedAt !== undefined) authentications.put({ ...login, revokedAt: call.now })
    return call
  }),
  'auth.redeem.once/again-after-a-refresh': {
    at: ['auth.refresh'],
    tables: { authentications: { write: unredeemed } },
  },
  'auth.redeem.once/again-after-the-end-of-a-document': againAfterItsEnd(
    ({ method, revokedAt }) => method !== 'Token' && revokedAt !== undefined,
  ),
  'auth.redeem.once/again-after-the-end-of-a-token-login': {
    also: ['auth.sessions.ended'],
    ...againAfterItsEnd(({ method, revokedAt }) => method === 'Token' && revokedAt !== undefined),
  },
  'auth.redeem.once/again-after-the-end-of-its-token': {
    also: ['tokens.revoke.logins'],
    ...againAfterItsEnd(({ token = '' }, { tokens }) => tokens.get(token)?.status === 'Revoked'),
  },
  'auth.redeem.once/again-minutes-later': calls(['auth.redeem'], (call) => {
    const login = call.caller?.authentication
    if (login?.redeemedAt === undefined || call.now - login.redeemedAt < 16 * minute) return call
    call.service.state.authentications.put(unredeemed(login))
    return call
  }),
  'auth.redeem.once/again-after-a-token': {
    at: ['auth.redeem'],
    tables: {
      authentications: {
        write: ({ redeemedAt, ...next }) => ({
          ...next,
          ...(next.method !== 'Token' && redeemedAt !== undefined && { redeemedAt }),
        }),
      },
    },
  },
  'auth.redeem.wrong-bearer-refused/another-that-waits': redeemsAnother,
  'auth.redeem.wrong-bearer-refused/only-decoded': onlyDecoded('auth.redeem'),
  'auth.redeem.wrong-bearer-refused/by-a-refresh-token-in-the-end': {
    ...byRefreshToken,
    policy: { ...byRefreshToken.policy, redeemedBefore: () => false },
  },
  'auth.redeem.issues-pair/ends-the-earlier-login': {
    also: ['auth.refresh.repeatable'],
    ...calls(['auth.redeem'], (call) => {
      const { authentications } = call.service.state
      const mine = call.caller?.authentication
      const earlier = mine === undefined ? [] : authentications.by('context', keyOf(mine.context))
      for (const one of earlier)
        if (one.redeemedAt !== undefined && one.referenceNumber !== mine?.referenceNumber)
          authentications.put({ ...one, revokedAt: call.now })
      return call
    }),
  },
  'auth.redeem.issues-pair/no-media-type': refusesTyped('auth.redeem'),
  'auth.redeem.issues-pair/for-the-first-of-its-context': tokensOfAnother('auth.redeem', 'first'),
  'auth.redeem.issues-pair/for-the-last-of-its-context': tokensOfAnother('auth.redeem', 'last'),
} as const satisfies Readonly<Record<string, Mutant>>
