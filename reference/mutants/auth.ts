import type { Answer } from '../call/call.ts'
import type { ContextKind } from '../model/entities.ts'
import type { Mutant } from './mutant.ts'
import { answers, behindLogin, bodies, calls, refuses } from './rewrite.ts'

/** Defects of challenges, authentication and the tokens of its stages. */

interface Status {
  readonly status: { readonly code: number }
}

/** How often the status of an authentication was asked for. */
const asked = new Map<string, number>()
/** The first answer to each refresh token. */
const refreshed = new Map<string, Answer>()

/** Failures of one code that do not say what they are. */
const unexplained = (code: number): Mutant =>
  bodies<Status>(['auth.status'], ({ status }) =>
    status.code === code ? { status: { ...status, description: '' } } : {},
  )

/** Authentications in contexts of one kind that are accepted, and fail afterwards. */
const neverSucceeds = (kind: ContextKind): Mutant =>
  bodies(['auth.status'], (body, { service, path }) =>
    service.state.authentications.get(path['referenceNumber'] ?? '')?.context.type === kind
      ? { status: { ...(body['status'] as object), code: 415 } }
      : {},
  )

export const authMutants = {
  'auth.challenge.public/behind-login': behindLogin('auth.challenge'),
  'auth.challenge.individual/always-the-same': bodies(['auth.challenge'], {
    challenge: '20260615-CR-0000000000-0000000000-7D',
  }),
  'auth.challenge.ten-minutes/lives-on': {
    policy: { challengeAlive: () => true },
  },
  'auth.challenge.ten-minutes/dies-early': {
    policy: { challengeAlive: (issuedAt, now, lifetime) => now - issuedAt <= lifetime * 500 },
  },
  'auth.challenge.unknown-refused/unknown-accepted': {
    tables: {
      challenges: {
        read: (found, value) => found ?? { value, issuedAt: Number.MAX_SAFE_INTEGER, spent: false },
      },
    },
  },
  'auth.challenge.single-use/reusable': {
    policy: { challengeUnused: () => true },
  },
  'auth.challenge.single-use/reusable-by-token': {
    at: ['auth.token'],
    policy: { challengeUnused: () => true },
  },
  'auth.challenge.address-limit/limit-doubled': {
    policy: { publicThresholds: (perSecond) => [{ span: 1_000, maximum: 2 * perSecond }] },
  },
  'auth.xades.enveloped/no-enveloped': {
    also: ['auth.xades.accepted'],
    policy: { formAccepted: (form) => form === 'enveloping' },
  },
  'auth.xades.enveloping/no-enveloping': {
    policy: { formAccepted: (form) => form === 'enveloped' },
  },
  'auth.xades.detached-refused/detached-accepted': {
    policy: {
      formAccepted: () => true,
      referencePlaceFits: () => true,
      documentConforms: () => true,
    },
  },
  'auth.xades.weak-key-refused/short-key-accepted': {
    policy: { keyStrongEnough: () => true },
  },
  'auth.xades.wrapping-refused/second-request-accepted': {
    also: ['auth.signature.transforms-refused'],
    policy: { requestCountFits: () => true, objectCountFits: () => true },
  },
  'auth.xades.wrapping-refused/second-request-anywhere': {
    policy: {
      requestCountFits: () => true,
      objectCountFits: () => true,
      referencePlaceFits: () => true,
      idsUnique: () => true,
    },
  },
  'auth.xades.context-kinds/nip-only': {
    policy: { contextKindAccepted: (kind) => kind === 'Nip' },
  },
  'auth.xades.context-kinds/internal-id-never-succeeds': neverSucceeds('InternalId'),
  'auth.xades.context-kinds/nip-vat-ue-never-succeeds': neverSucceeds('NipVatUe'),
  'auth.xades.subject-type/schema-unchecked': {
    policy: { documentConforms: () => true, subjectKindAccepted: () => true },
  },
  'auth.xades.fingerprint/fingerprint-without-grant': {
    policy: { permissionsSuffice: () => true },
  },
  'auth.xades.self-signed-by-environment/self-signed-everywhere': {
    environment: { selfSigned: true },
  },
  'auth.xades.certificate-dates/dates-unchecked': {
    policy: { certificateInDates: () => true },
  },
  'auth.xades.service-certificate/service-certificate-refused': {
    policy: { serviceCertificateAccepted: () => false },
  },
  'auth.xades.hostile-xml/doctype-accepted': {
    policy: { doctypeAllowed: () => true },
  },
  'auth.xades.hostile-xml/fetches-what-is-named': calls(['auth.xades'], (call) => {
    for (const [, url = ''] of Buffer.from(call.bytes)
      .toString()
      .matchAll(/SYSTEM "(http[^"]+)"/g))
      void fetch(url).catch(() => undefined)
    return call
  }),
  'auth.token.accepted/never-accepted': {
    policy: { tokenUsable: () => false },
  },
  'auth.token.plaintext-form/seconds-expected': {
    policy: { tokenTimestampForm: (text) => /^\d{10}$/.test(text) },
  },
  'auth.token.wrong-encryption-refused/oaep-sha1-accepted': {
    policy: { oaepHashAccepted: () => true },
  },
  'auth.token.wrong-timestamp-refused/time-unchecked': {
    policy: { tokenTimestampForm: () => true, tokenTimestampAccepted: () => true },
  },
  'auth.token.other-context-refused/any-context': {
    policy: { tokenOfContext: () => true, permissionsSuffice: () => true },
  },
  'auth.token.expired-refused/never-expires': {
    policy: { tokenInDates: () => true },
  },
  'auth.token.unusable-refused/revoked-works': {
    policy: { tokenUsable: () => true },
  },
  'auth.token.sunset/no-sunset': {
    policy: { tokenLoginOpen: () => true, tokenInDates: () => true },
  },
  'auth.token.sunset/midnight-in-utc': {
    policy: { tokenLoginOpen: (now, lastDay) => new Date(now).toISOString() < `${lastDay}T24` },
  },
  'auth.status.moves-forward/goes-back': bodies(['auth.status'], ({ status }: Status, { path }) => {
    const times = (asked.get(path['referenceNumber']!) ?? 0) + 1
    asked.set(path['referenceNumber']!, times)
    return status.code === 200 && times % 2 === 0 ? { status: { ...status, code: 100 } } : {}
  }),
  'auth.status.wrong-bearer-refused/any-authentication-token': {
    policy: { statusBearerMatches: () => true },
  },
  'auth.status.wrong-bearer-refused/access-token-accepted': {
    also: ['auth.redeem.wrong-bearer-refused'],
    policy: {
      bearerFits: (given, wanted) =>
        wanted.includes(given) || (given === 'access' && wanted.includes('authentication')),
    },
  },
  'auth.redeem.not-before-success/too-early': {
    policy: { redeemAllowed: (code) => code <= 200 },
  },
  'auth.redeem.issues-pair/no-refresh-token': bodies(['auth.redeem'], { refreshToken: undefined }),
  'auth.redeem.not-after-expiry/after-expiry': {
    also: ['auth.status.wrong-bearer-refused'],
    policy: { authenticationTokenAlive: () => true },
  },
  'auth.redeem.once/twice': {
    policy: { redeemedBefore: () => false },
  },
  'auth.status.failure-is-final/redeem-failed-redeems': {
    policy: { redeemAllowed: (code) => code >= 200 },
  },
  'auth.access-token.jwt-lifetime/lives-an-hour': {
    limits: { 'accessToken.lifetime': () => 3600 },
  },
  'auth.access-token.expires/never-expires': {
    also: ['auth.access-token.required'],
    policy: { accessTokenAlive: () => true },
  },
  'auth.access-token.expires/dies-early': {
    policy: { accessTokenAlive: (expiresAt, now) => now < expiresAt - 300_000 },
  },
  'auth.status.failure-is-final/bad-tokens-unexplained': unexplained(450),
  'auth.status.failure-is-final/bad-certificates-unexplained': unexplained(460),
  'auth.access-token.forged-refused/forged-accepted': {
    policy: { tokenAuthentic: () => true },
  },
  'auth.access-token.required/any-scheme': {
    policy: { schemeAccepted: () => true },
  },
  'auth.access-token.required/any-kind': {
    policy: { bearerFits: (given, wanted) => wanted.includes(given) || wanted.includes('access') },
  },
  'auth.refresh.repeatable/once': refuses(
    ['auth.refresh'],
    'refresh-refused',
    ({ caller }) => caller?.authentication.refreshedAt !== undefined,
  ),
  'auth.refresh.repeatable/same-token-again': answers(['auth.refresh'], (answer, { headers }) => {
    const bearer = String(headers['authorization'])
    const first = refreshed.get(bearer) ?? answer
    refreshed.set(bearer, first)
    return first
  }),
  'auth.refresh.seven-days/two-weeks': {
    limits: { 'refreshToken.lifetime': (seconds) => 2 * seconds },
  },
  'auth.refresh.seven-days/never-expires': {
    policy: { refreshTokenAlive: () => true },
  },
  'auth.refresh.wrong-bearer-refused/any-kind': {
    policy: { bearerFits: (given, wanted) => wanted.includes(given) || wanted.includes('refresh') },
  },
} as const satisfies Readonly<Record<string, Mutant>>
