import type { Mutant } from './mutant.ts'
import { policy } from '../policy/policy.ts'

export const authMutants = {
  'auth.challenge.behind-login': {
    breaks: ['auth.challenge.public'],
    policy: {
      bearerNeeded: (operation, bearer) =>
        operation === 'auth.challenge' || policy.bearerNeeded(operation, bearer),
    },
  },
  'auth.challenge.always-the-same': {
    breaks: ['auth.challenge.individual'],
    policy: { challengeValue: () => '20260615-CR-0000000000-0000000000-7D' },
  },
  'auth.challenge.lives-on': {
    breaks: ['auth.challenge.ten-minutes'],
    policy: { challengeAlive: () => true },
  },
  'auth.challenge.dies-early': {
    breaks: ['auth.challenge.ten-minutes'],
    policy: { challengeAlive: (issuedAt, now, lifetime) => now - issuedAt <= lifetime * 500 },
  },
  'auth.challenge.unknown-taken': {
    breaks: ['auth.challenge.unknown-refused'],
    policy: { challengeMustBeKnown: () => false },
  },
  'auth.challenge.reusable': {
    breaks: ['auth.challenge.single-use'],
    policy: { challengeSpendable: () => true },
  },
  'auth.challenge.reusable-by-token': {
    breaks: ['auth.challenge.single-use'],
    policy: { challengeSpendable: (spent, by) => by === 'token' || !spent },
  },
  'auth.challenge.limit-doubled': {
    breaks: ['auth.challenge.address-limit'],
    policy: { publicThresholds: (perSecond) => [{ span: 1_000, most: 2 * perSecond }] },
  },

  'auth.xades.no-enveloped': {
    breaks: ['auth.xades.enveloped', 'auth.xades.accepted'],
    policy: { formAccepted: (form) => form === 'enveloping' },
  },
  'auth.xades.no-enveloping': {
    breaks: ['auth.xades.enveloping'],
    policy: { formAccepted: (form) => form === 'enveloped' },
  },
  'auth.xades.detached-taken': {
    breaks: ['auth.xades.detached-refused'],
    policy: {
      formAccepted: () => true,
      referencePlaceFits: () => true,
      documentConforms: () => true,
    },
  },
  'auth.xades.digest-unchecked': {
    breaks: ['auth.xades.tampered-refused'],
    policy: { digestFits: () => true },
  },
  'auth.xades.signature-unchecked': {
    breaks: ['auth.xades.incomplete-signature-refused'],
    policy: { signatureFits: () => true },
  },
  'auth.xades.unsigned-taken': {
    breaks: ['auth.xades.incomplete-signature-refused'],
    policy: { signatureRequired: () => false },
  },
  'auth.xades.plain-signature-taken': {
    breaks: ['auth.xades.incomplete-signature-refused'],
    policy: {
      signedPropertiesRequired: () => false,
      referenceCountFits: () => true,
      objectCountFits: () => true,
    },
  },
  'auth.xades.certificate-digest-unchecked': {
    breaks: ['auth.xades.incomplete-signature-refused'],
    policy: { certificateDigestFits: () => true },
  },
  'auth.xades.document-uncovered': {
    breaks: ['auth.xades.incomplete-signature-refused'],
    policy: { coverageRequired: () => false, referenceCountFits: () => true },
  },
  'auth.xades.target-unchecked': {
    breaks: ['auth.xades.incomplete-signature-refused'],
    policy: { targetFits: () => true },
  },
  'auth.xades.any-transform-taken': {
    breaks: ['auth.xades.incomplete-signature-refused', 'auth.signature.transforms-refused'],
    policy: { exclusionFits: () => true },
  },
  'auth.signature.markup-in-base64-taken': {
    breaks: ['auth.signature.transforms-refused'],
    policy: { encodedAlone: () => true },
  },
  'auth.signature.no-filter2': {
    breaks: ['auth.signature.transforms'],
    policy: { filterAccepted: () => false },
  },
  'auth.signature.no-base64': {
    breaks: ['auth.signature.transforms'],
    policy: { encodedAccepted: () => false },
  },
  'auth.signature.exclusive-only': {
    breaks: ['auth.signature.transforms'],
    policy: { canonicalizationAllowed: (uri) => uri === 'http://www.w3.org/2001/10/xml-exc-c14n#' },
  },
  'auth.signature.sha256-only': {
    breaks: ['auth.signature.algorithms'],
    policy: {
      digestAlgorithm: (uri) => (uri.endsWith('#sha256') ? policy.digestAlgorithm(uri) : undefined),
    },
  },
  'auth.signature.no-pss': {
    breaks: ['auth.signature.algorithms'],
    policy: {
      signatureAlgorithm: (uri) =>
        uri.endsWith('MGF1') ? undefined : policy.signatureAlgorithm(uri),
    },
  },
  'auth.signature.two-references-only': {
    breaks: ['auth.signature.profiles'],
    policy: { referenceCountFits: (count) => count === 2 },
  },
  'auth.xades.short-key-taken': {
    breaks: ['auth.xades.weak-key-refused'],
    policy: { keyStrongEnough: () => true },
  },
  'auth.xades.second-request-taken': {
    breaks: ['auth.xades.wrapping-refused'],
    policy: { requestCountFits: () => true, objectCountFits: () => true },
  },
  'auth.xades.reads-the-first-request': {
    breaks: ['auth.xades.wrapping-refused'],
    policy: {
      requestCountFits: () => true,
      objectCountFits: () => true,
      referencePlaceFits: () => true,
      readsWhatIsCovered: () => false,
      idsUnique: () => true,
    },
  },
  'auth.xades.nip-only': {
    breaks: ['auth.xades.context-kinds'],
    policy: { contextKindAccepted: (kind) => kind === 'Nip' },
  },
  'auth.xades.schema-unchecked': {
    breaks: ['auth.xades.subject-type'],
    policy: { documentConforms: () => true, subjectKindAccepted: () => true },
  },
  'auth.xades.fingerprint-without-grant': {
    breaks: ['auth.xades.fingerprint'],
    policy: { loginNeedsPermission: () => true },
  },
  'auth.xades.self-signed-everywhere': {
    breaks: ['auth.xades.self-signed-by-environment'],
    policy: { selfSignedAccepted: () => true },
  },
  'auth.xades.dates-unchecked': {
    breaks: ['auth.xades.certificate-dates'],
    policy: { certificateInDates: () => true },
  },
  'auth.xades.service-certificate-refused': {
    breaks: ['auth.xades.service-certificate'],
    policy: { serviceCertificateAccepted: () => false },
  },
  'auth.xades.doctype-taken': {
    breaks: ['auth.xades.hostile-xml'],
    policy: { doctypeRefused: () => false },
  },

  'auth.token.never-accepted': {
    breaks: ['auth.token.accepted'],
    policy: { tokenUsable: () => false },
  },
  'auth.token.seconds-expected': {
    breaks: ['auth.token.plaintext-form'],
    policy: { tokenTimestampForm: (text) => /^\d{10}$/.test(text) },
  },
  'auth.token.oaep-sha1-taken': {
    breaks: ['auth.token.wrong-encryption-refused'],
    policy: { oaepHashes: () => ['sha256', 'sha1'] },
  },
  'auth.token.time-unchecked': {
    breaks: ['auth.token.wrong-timestamp-refused'],
    policy: { tokenTimestampForm: () => true, tokenTimestampAccepted: () => true },
  },
  'auth.token.any-context': {
    breaks: ['auth.token.other-context-refused'],
    policy: { tokenOfContext: () => true, loginNeedsPermission: () => true },
  },
  'auth.token.never-expires': {
    breaks: ['auth.token.expired-refused'],
    policy: { tokenInDates: () => true },
  },
  'auth.token.revoked-works': {
    breaks: ['auth.token.unusable-refused'],
    policy: { tokenUsable: () => true },
  },
  'auth.token.no-sunset': {
    breaks: ['auth.token.sunset'],
    policy: { tokenLoginOpen: () => true, tokenInDates: () => true },
  },

  'auth.status.goes-back': {
    breaks: ['auth.status.moves-forward'],
    policy: {
      authenticationShown: (code, asked) => (code === 200 && asked % 2 === 0 ? 100 : code),
    },
  },
  'auth.status.any-authentication-token': {
    breaks: ['auth.status.wrong-bearer-refused'],
    policy: { statusBearerMatches: () => true },
  },
  'auth.status.access-token-taken': {
    breaks: ['auth.status.wrong-bearer-refused', 'auth.redeem.wrong-bearer-refused'],
    policy: {
      bearerFits: (given, wanted) =>
        wanted.includes(given) || (given === 'access' && wanted.includes('authentication')),
    },
  },
  'auth.redeem.too-early': {
    breaks: ['auth.redeem.not-before-success'],
    policy: { redeemAllowed: (code) => code <= 200 },
  },
  'auth.redeem.no-refresh-token': {
    breaks: ['auth.redeem.issues-pair'],
    policy: { redeemAnswers: ({ accessToken }) => ({ accessToken }) },
  },
  'auth.redeem.after-expiry': {
    breaks: ['auth.redeem.not-after-expiry'],
    policy: { authenticationTokenAlive: () => true },
  },
  'auth.redeem.twice': {
    breaks: ['auth.redeem.once'],
    policy: { redeemAgainAllowed: () => true },
  },
  'auth.redeem.failed-redeems': {
    breaks: ['auth.status.failure-is-final'],
    policy: { redeemAllowed: (code) => code >= 200 },
  },
  'auth.access-token.lives-an-hour': {
    breaks: ['auth.access-token.jwt-lifetime'],
    policy: { accessTokenLifetime: () => 3600 },
  },
  'auth.access-token.never-expires': {
    breaks: ['auth.access-token.expires', 'auth.access-token.required'],
    policy: { accessTokenAlive: () => true },
  },
  'auth.access-token.dies-early': {
    breaks: ['auth.access-token.expires'],
    policy: { accessTokenAlive: (expiresAt, now) => now < expiresAt - 300_000 },
  },
  'auth.access-token.forged-taken': {
    breaks: ['auth.access-token.forged-refused'],
    policy: { forgedAccepted: () => true },
  },
  'auth.access-token.any-scheme': {
    breaks: ['auth.access-token.required'],
    policy: { schemeAccepted: () => true },
  },
  'auth.access-token.any-kind': {
    breaks: ['auth.access-token.required'],
    policy: { bearerFits: (given, wanted) => wanted.includes(given) || wanted.includes('access') },
  },
  'auth.refresh.once': {
    breaks: ['auth.refresh.repeatable'],
    policy: { refreshAgainAllowed: () => false },
  },
  'auth.refresh.two-weeks': {
    breaks: ['auth.refresh.seven-days'],
    policy: { refreshTokenLifetime: (seconds) => 2 * seconds },
  },
  'auth.refresh.never-expires': {
    breaks: ['auth.refresh.seven-days'],
    policy: { refreshTokenAlive: () => true },
  },
  'auth.refresh.any-kind': {
    breaks: ['auth.refresh.wrong-bearer-refused'],
    policy: { bearerFits: (given, wanted) => wanted.includes(given) || wanted.includes('refresh') },
  },
} as const satisfies Record<string, Mutant>
