import type { Rows } from './decision-rows.ts'
import { row } from './decision-rows.ts'
import type { Rules } from './operator.ts'

/** Decisions about callers, their documents and their tokens. */

const requests: Rules = ['auth.xades.accepted', 'auth.xades.enveloped', 'auth.xades.enveloping']
const unsound: Rules = [
  'auth.xades.incomplete-signature-refused',
  'auth.signature.transforms-refused',
]
const wrapped: Rules = ['auth.xades.wrapping-refused', ...unsound]

export const loginDecisions: Rows = {
  bodyFits: row(['transport.malformed-body'], ['transport.malformed-body']),
  violationsRefuse: row(undefined, ['transport.malformed-body']),
  mediaTypeFits: row(['transport.media-type'], ['transport.media-type', 'auth.xades.accepted']),
  operationExists: row(['testdata.only-in-test'], ['testdata.entities']),

  challengeAlive: row(
    ['auth.challenge.ten-minutes'],
    ['auth.challenge.ten-minutes'],
    ['auth.xades', 'auth.token'],
  ),
  challengeUnused: row(
    ['auth.challenge.single-use'],
    ['auth.xades.accepted', 'auth.token.accepted'],
    ['auth.xades', 'auth.token'],
  ),
  certificateInDates: row(['auth.xades.certificate-dates'], ['auth.xades.accepted']),
  serviceCertificateAccepted: row(
    ['auth.xades.service-certificate', 'certificates.revoke'],
    ['auth.xades.service-certificate', 'certificates.enrol'],
  ),
  permissionsSuffice: row(
    ['auth.xades.fingerprint', 'auth.token.other-context-refused', 'permissions.revoke.effective'],
    ['auth.xades.accepted', 'auth.status.moves-forward', 'auth.xades.fingerprint'],
  ),
  tokenTimestampAccepted: row(['auth.token.wrong-timestamp-refused'], ['auth.token.accepted']),
  tokenTimestampForm: row(
    ['auth.token.wrong-timestamp-refused', 'auth.token.plaintext-form'],
    ['auth.token.plaintext-form'],
  ),
  tokenOfContext: row(['auth.token.other-context-refused'], ['auth.token.accepted']),
  tokenInDates: {
    ...row(['auth.token.expired-refused'], ['auth.token.accepted']),
    absentIn: ({ tokensEnd }) => (tokensEnd === false ? 'service tokens have no end' : undefined),
  },
  tokenUsable: row(['auth.token.unusable-refused'], ['auth.token.accepted']),
  tokenLoginOpen: row(['auth.token.sunset'], ['auth.token.sunset', 'auth.token.accepted']),
  redeemAllowed: row(
    ['auth.redeem.not-before-success', 'auth.status.failure-is-final'],
    ['auth.redeem.issues-pair'],
  ),
  redeemedBefore: row(['auth.redeem.issues-pair'], ['auth.redeem.once']),
  authenticationTokenAlive: row(
    ['auth.redeem.not-after-expiry', 'auth.status.wrong-bearer-refused'],
    ['auth.redeem.issues-pair', 'auth.status.moves-forward'],
    ['auth.status', 'auth.redeem'],
  ),
  statusBearerMatches: row(['auth.status.wrong-bearer-refused'], ['auth.status.moves-forward']),
  bearerFits: row(
    [
      'auth.status.wrong-bearer-refused',
      'auth.access-token.required',
      'auth.refresh.wrong-bearer-refused',
      'auth.redeem.wrong-bearer-refused',
    ],
    ['auth.status.moves-forward', 'auth.redeem.issues-pair', 'auth.refresh.repeatable'],
    ['auth.status', 'auth.redeem', 'auth.refresh'],
  ),
  schemeAccepted: row(
    ['auth.access-token.required'],
    ['auth.status.moves-forward', 'auth.redeem.issues-pair'],
  ),
  tokenAuthentic: row(
    ['auth.access-token.forged-refused'],
    ['auth.status.moves-forward', 'auth.redeem.issues-pair'],
  ),
  accessTokenAlive: row(['auth.access-token.expires'], ['auth.access-token.expires']),
  refreshTokenAlive: row(['auth.refresh.seven-days'], ['auth.refresh.repeatable']),
  refreshAfterRevocation: row(['auth.sessions.ended'], ['auth.refresh.repeatable']),
  loginMayBeEnded: row(['auth.sessions.ended'], ['auth.sessions.ended']),
  loginListed: row(['auth.sessions.listed'], ['auth.sessions.listed']),
  addressAllowed: row(
    ['auth.address-policy'],
    ['auth.address-policy'],
    ['sessions.list', 'auth.sessions', 'queries.metadata', 'invoices.submit'],
  ),

  doctypeAllowed: row(['auth.xades.hostile-xml'], requests),
  signatureCountFits: row(
    ['auth.xades.incomplete-signature-refused', 'auth.xades.wrapping-refused'],
    requests,
  ),
  formAccepted: row(['auth.xades.detached-refused'], requests),
  requestCountFits: row(wrapped, requests),
  objectCountFits: row(wrapped, requests),
  idsUnique: row(wrapped, requests),
  referenceCountFits: row(unsound, requests),
  referencePlaceFits: row(['auth.xades.detached-refused', ...wrapped], requests),
  targetFits: row(['auth.xades.incomplete-signature-refused'], requests),
  digestFits: row(['auth.xades.tampered-refused', 'auth.signature.transforms-refused'], requests),
  signatureVerifies: row(['auth.xades.tampered-refused', ...unsound], requests),
  certificateDigestFits: row(unsound, requests),
  canonicalizationAllowed: row(undefined, requests),
  transformAccepted: row(['auth.signature.transforms-refused'], ['auth.signature.transforms']),
  encodedAlone: row(['auth.signature.transforms-refused'], ['auth.signature.transforms']),
  exclusionFits: row(unsound, ['auth.signature.transforms']),
  keyStrongEnough: row(['auth.xades.weak-key-refused'], requests),
  signingTimeFits: row(
    ['auth.xades.incomplete-signature-refused', 'auth.xades.certificate-dates'],
    requests,
  ),
  documentConforms: row(
    ['auth.xades.subject-type', 'auth.xades.context-kinds', 'auth.xades.detached-refused'],
    requests,
  ),
  contextKindAccepted: row(['auth.xades.context-kinds'], ['auth.xades.context-kinds']),
  providersKnown: {
    ...row(['auth.xades.context-kinds'], undefined),
    absentIn: ({ providers }) => (providers === true ? 'providers have contexts' : undefined),
  },
  subjectKindAccepted: row(['auth.xades.subject-type'], ['auth.xades.accepted']),

  tokenPermissionsFit: row(['tokens.create.within-rights'], ['tokens.create.within-rights']),
  tokenContextFits: row(['tokens.create.within-rights'], ['tokens.create.within-rights']),
  tokenRevocable: row(
    ['tokens.status.moves-forward'],
    ['tokens.revoke.logins', 'tokens.status.moves-forward'],
  ),
  loginByToken: row(['tokens.revoke.logins'], ['tokens.revoke.logins']),
  tokenVisible: row(['tokens.list.scope'], ['tokens.list.scope'], ['tokens.list', 'tokens.status']),
  tokenMayBeRevoked: row(['tokens.revoke.rights'], ['tokens.revoke.rights']),
}
