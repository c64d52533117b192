import { X509Certificate, createHmac, createPublicKey, verify } from 'node:crypto'
import type { JsonWebKey, KeyObject } from 'node:crypto'
import type { OperationId } from '../../../contract/endpoints.ts'
import { parseCertificate } from '../../base/certificate.ts'
import { refuse } from '../../base/refusals.ts'
import type { AnyCall } from '../../call/call.ts'
import type { Policy } from '../../policy/policy.ts'
import { policy } from '../../policy/policy.ts'
import { boundToItsAddress, refusedTooLate, takenOnceEnded } from '../callers.ts'
import { byTimeOfDay, foundAliveBefore } from '../lifetimes.ts'
import { minute } from '../spans.ts'
import type { Mutant } from '../mutant.ts'
import { bodies, calls } from '../rewrite.ts'
import { onOtherPaths } from '../spellings.ts'

interface Header {
  readonly alg?: unknown
  readonly jwk?: JsonWebKey
  readonly x5c?: readonly string[]
}

const headerOf = (token: string): Header =>
  JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString()) as Header

/** The algorithm that the header of a token names. */
const algorithmOf = (token: string): unknown => headerOf(token).alg

/** What follows the last point of a token, and what comes before it. */
const signatureOf = (token: string): string => token.slice(token.lastIndexOf('.') + 1)
const signedPart = (token: string): string => token.slice(0, token.lastIndexOf('.'))

/** Accepts forged tokens of one kind. */
const acceptsForged = (isSuch: (token: string) => boolean): Mutant => ({
  policy: {
    tokenAuthentic: (verified) => policy.tokenAuthentic(verified) || isSuch(verified.token),
  },
})

/** The published key is a secret too, for tokens that are signed by HMAC with its PEM text. */
const signedWithPublicKey = (): Mutant => {
  let published: readonly string[] = []
  return {
    async call(call, next) {
      const answer = await next(call)
      if (call.operation === 'keys.list')
        published = (answer.body as readonly { readonly certificate: string }[]).map(
          ({ certificate }) =>
            new X509Certificate(Buffer.from(certificate, 'base64')).publicKey
              .export({ format: 'pem', type: 'spki' })
              .toString(),
        )
      return answer
    },
    ...acceptsForged(
      (token) =>
        algorithmOf(token) === 'HS256' &&
        published.some(
          (secret) =>
            createHmac('sha256', secret).update(signedPart(token)).digest('base64url') ===
            signatureOf(token),
        ),
    ),
  }
}

/** Signed by the key that the token itself names in its header. */
const verifiesBy = (token: string, keyOf: (header: Header) => KeyObject | undefined): boolean => {
  const key = keyOf(headerOf(token))
  const signature = Buffer.from(signatureOf(token), 'base64url')
  return (
    key !== undefined &&
    verify('sha256', Buffer.from(signedPart(token)), { key, dsaEncoding: 'ieee-p1363' }, signature)
  )
}

/** Verified tokens are remembered by their signatures, whatever else such a token says. */
const rememberedBySignature = (): Mutant => {
  const known = new Set<string>()
  return {
    policy: {
      tokenAuthentic(verified) {
        const signature = signatureOf(verified.token)
        if (policy.tokenAuthentic(verified)) known.add(signature)
        return known.has(signature)
      },
    },
  }
}

/** The instant at which the token of a call was issued, in whole seconds. */
const issuedAt = ({ headers }: AnyCall): number => {
  const [, payload = ''] = String(headers['authorization']).split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iat?: number }
  return claims.iat ?? 0
}

/** Tokens that were issued before an operation succeeded so often in their context are refused elsewhere. */
const endedBy = (event: OperationId, times = 1): Mutant => {
  const seen = new Map<string, number>()
  const ended = new Map<string, number>()
  return {
    at: [event, 'limits.context'],
    async call(call, next) {
      const context = call.caller?.context.value ?? ''
      if (call.operation !== event) {
        if (issuedAt(call) < (ended.get(context) ?? 0)) throw refuse('expired-token')
        return next(call)
      }
      const answer = await next(call)
      seen.set(context, (seen.get(context) ?? 0) + 1)
      if ((seen.get(context) ?? 0) >= times) ended.set(context, Math.floor(call.now / 1000))
      return answer
    },
  }
}

/** Calls with an expired token are refused only after they took effect. */
const doneThoughExpired = (): Mutant => {
  let isExpired = false
  return {
    policy: {
      accessTokenAlive(expiresAt, now) {
        isExpired = !policy.accessTokenAlive(expiresAt, now)
        return true
      },
    },
    ...refusedTooLate('expired-token', ({ caller }) => caller?.bearer === 'access' && isExpired),
  }
}

/** Decisions that differ where an export is created or asked for by the shorter name. */
const onTheOtherPath = (decisions: (isOther: () => boolean) => Partial<Policy>): Mutant => {
  let isOther = false
  return {
    ...onOtherPaths('exports.create'),
    exchange(running, next) {
      isOther = /\/invoices\/export(\/|$)/.test(running.path)
      return next(running)
    },
    policy: decisions(() => isOther),
  }
}

/** Defects of access tokens. */
export const authAccessTokenMutants = {
  'auth.access-token.jwt-lifetime/lives-an-hour': {
    limits: { 'accessToken.lifetime': () => 3600 },
  },
  'auth.access-token.jwt-lifetime/dated-from-the-first-refresh': calls(
    ['auth.refresh'],
    (call) => ({
      ...call,
      now: call.caller?.authentication.refreshedAt ?? call.now,
    }),
  ),
  'auth.access-token.jwt-lifetime/stated-longer-after-a-refresh': bodies<{
    readonly accessToken: { readonly validUntil: string }
  }>(['auth.refresh'], ({ accessToken }) => ({
    accessToken: {
      ...accessToken,
      validUntil: new Date(Date.parse(accessToken.validUntil) + 300_000).toISOString(),
    },
  })),
  'auth.access-token.jwt-lifetime/refreshed-expires-later': {
    at: ['auth.refresh'],
    limits: { 'accessToken.lifetime': (seconds) => 8 * seconds },
  },
  'auth.access-token.jwt-lifetime/refreshed-expires-sooner': {
    at: ['auth.refresh'],
    limits: { 'accessToken.lifetime': (seconds) => seconds - 420 },
  },
  'auth.access-token.jwt-lifetime/counted-from-the-sign-in': calls(['auth.redeem'], (call) => ({
    ...call,
    now: call.caller?.authentication.startedAt ?? call.now,
  })),
  'auth.access-token.expires/never-expires': {
    also: ['auth.access-token.required'],
    policy: { accessTokenAlive: () => true },
  },
  'auth.access-token.expires/done-anyway': doneThoughExpired(),
  'auth.access-token.expires/found-alive-before': {
    policy: { accessTokenAlive: foundAliveBefore(policy.accessTokenAlive) },
  },
  'auth.access-token.expires/times-of-day-compared': {
    policy: { accessTokenAlive: byTimeOfDay(0) },
  },
  'auth.access-token.expires/times-of-day-in-Warsaw-compared': {
    policy: { accessTokenAlive: byTimeOfDay(120 * minute) },
  },
  'auth.access-token.expires/ends-a-login-afterwards': {
    at: ['auth.revokeCurrent'],
    policy: { accessTokenAlive: () => true },
  },
  'auth.access-token.expires/ended-by-a-refresh': endedBy('auth.refresh'),
  'auth.access-token.expires/ended-by-a-second-refresh': endedBy('auth.refresh', 2),
  'auth.access-token.expires/ended-by-another-login': endedBy('auth.redeem'),
  'auth.access-token.expires/ended-by-another-logout': endedBy('auth.revokeCurrent'),
  'auth.access-token.expires/ended-by-a-new-token': endedBy('tokens.create'),
  'auth.access-token.expires/ended-by-a-revoked-token': endedBy('tokens.revoke'),
  'auth.access-token.expires/ended-by-an-opened-session': endedBy('sessions.openOnline'),
  'auth.access-token.expires/ended-by-a-closed-session': endedBy('sessions.closeOnline'),
  'auth.access-token.expires/ended-by-a-grant': endedBy('permissions.grantPerson'),
  'auth.access-token.expires/at-its-address-only': boundToItsAddress('limits.context'),
  'auth.access-token.expires/alive-on-the-other-path': onTheOtherPath((other) => ({
    accessTokenAlive: (...given) => other() || policy.accessTokenAlive(...given),
  })),
  'auth.access-token.expires/dies-early': {
    policy: { accessTokenAlive: (expiresAt, now) => now < expiresAt - 300_000 },
  },
  'auth.access-token.forged-refused/forged-accepted': { policy: { tokenAuthentic: () => true } },
  'auth.access-token.forged-refused/accepted-on-the-other-path': onTheOtherPath((other) => ({
    tokenAuthentic: (verified) => other() || policy.tokenAuthentic(verified),
  })),
  'auth.access-token.forged-refused/algorithm-none': acceptsForged(
    (token) => algorithmOf(token) === 'none',
  ),
  'auth.access-token.forged-refused/signature-missing': acceptsForged(
    (token) => algorithmOf(token) === 'HS256' && signatureOf(token) === '',
  ),
  'auth.access-token.forged-refused/other-algorithms-unverified': acceptsForged(
    (token) => !['HS256', 'none'].includes(String(algorithmOf(token))),
  ),
  'auth.access-token.forged-refused/key-in-the-token': acceptsForged((token) =>
    verifiesBy(token, ({ jwk }) => jwk && createPublicKey({ key: jwk, format: 'jwk' })),
  ),
  'auth.access-token.forged-refused/certificate-in-the-token': acceptsForged((token) =>
    verifiesBy(token, ({ x5c: [first] = [] }) =>
      first === undefined ? undefined : parseCertificate(Buffer.from(first, 'base64')).publicKey,
    ),
  ),
  'auth.access-token.forged-refused/signed-with-a-public-key': signedWithPublicKey(),
  'auth.access-token.forged-refused/remembered-by-signature': rememberedBySignature(),
  'auth.access-token.required/refresh-token-in-the-end': takenOnceEnded(
    ['sessions.list', 'permissions.grantPerson'],
    'refresh',
  ),
  'auth.access-token.required/any-scheme': { policy: { schemeAccepted: () => true } },
  'auth.access-token.required/any-kind-on-the-other-path': onTheOtherPath((other) => ({
    bearerFits: (given, wanted) => other() || policy.bearerFits(given, wanted),
  })),
  'auth.access-token.required/any-kind': {
    policy: { bearerFits: (given, wanted) => wanted.includes(given) || wanted.includes('access') },
  },
} as const satisfies Readonly<Record<string, Mutant>>
