import { dayOf } from '../base/identifiers.ts'
import type { Instant } from '../base/instants.ts'
import { addressAllowed } from './addresses.ts'
import type {
  Authentication,
  Challenge,
  ContextIdentifier,
  SubjectAttributes,
  SubjectIdentifier,
} from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'

/** Decisions about challenges, authentication and the tokens of its stages. */

type Stage = 'authentication' | 'access' | 'refresh'

/** Who asks. */
export interface Viewer {
  readonly context: ContextIdentifier
  readonly subject: SubjectIdentifier
}

/** A token whose signature, issuer and audience have been verified. */
export interface VerifiedToken {
  readonly token: string
  /** Why the verification failed; undefined when it did not. */
  readonly failure: unknown
}

const isOwnLogin = ({ context, subject }: Authentication, viewer: Viewer): boolean =>
  subject !== undefined &&
  keyOf(context) === keyOf(viewer.context) &&
  keyOf(subject) === keyOf(viewer.subject)

export const authPolicy = {
  // auth.challenge.ten-minutes: usable up to ten minutes after it was issued
  challengeAlive: (issuedAt: number, now: number, lifetime: number): boolean =>
    now - issuedAt <= lifetime * 1000,
  // auth.challenge.single-use: used up by the first authentication that passes its checks
  challengeUnused: ({ spent }: Challenge): boolean => !spent,

  // auth.xades.certificate-dates
  certificateInDates: (from: number, to: number, at: number): boolean => from <= at && at <= to,
  // auth.xades.service-certificate: issued by the service's own authority, for authentication, not revoked
  serviceCertificateAccepted: (purpose: 'Authentication' | 'Offline', revoked: boolean): boolean =>
    purpose === 'Authentication' && !revoked,
  // auth.xades.fingerprint: a login needs at least one permission in its context
  permissionsSuffice: (permissions: number): boolean => permissions > 0,

  // auth.xades.context-kinds: providers have contexts of their own in some dialects, whoever signs
  providersKnown: (known: boolean, _signer: SubjectAttributes): boolean => known,

  // auth.token.wrong-timestamp-refused: Unix time in milliseconds, close to now
  tokenTimestampAccepted: (timestamp: number, now: number, skew: number): boolean =>
    Math.abs(now - timestamp) <= skew * 1000,
  // auth.token.plaintext-form: digits alone, after the last separator
  tokenTimestampForm: (text: string): boolean => /^\d{13}$/.test(text),
  // auth.token.other-context-refused
  tokenOfContext: (tokenContext: string, context: string): boolean => tokenContext === context,
  // auth.token.expired-refused
  tokenInDates: (validUntil: number, now: number): boolean => now < validUntil,
  // auth.token.unusable-refused: active tokens only
  tokenUsable: (status: string): boolean => status === 'Active',
  // auth.token.sunset: no token login after the end of 2026
  tokenLoginOpen: (now: Instant, lastDay: string): boolean => dayOf(now) <= lastDay,

  // auth.status.failure-is-final: a failed authentication never redeems; auth.redeem.not-before-success
  redeemAllowed: (code: number): boolean => code === 200,
  // auth.redeem.once
  redeemedBefore: (redeemedAt: Instant | undefined): boolean => redeemedAt !== undefined,
  // auth.redeem.not-after-expiry
  authenticationTokenAlive: (expiresAt: number, now: number): boolean => now < expiresAt,
  // auth.status.wrong-bearer-refused: the token of this very authentication
  statusBearerMatches: (tokenReference: string, pathReference: string): boolean =>
    tokenReference === pathReference,

  // auth.access-token.required, auth.redeem.wrong-bearer-refused, auth.refresh.wrong-bearer-refused: one kind a stage
  bearerFits: (given: Stage, wanted: readonly Stage[]): boolean => wanted.includes(given),
  // auth.access-token.required: with the scheme Bearer, and no other
  schemeAccepted: (scheme: string): boolean => scheme.toLowerCase() === 'bearer',
  // auth.access-token.forged-refused: signature, issuer and audience verify
  tokenAuthentic: ({ failure }: VerifiedToken): boolean => failure === undefined,
  // auth.access-token.expires: accepted before exp, not at it
  accessTokenAlive: (expiresAt: number, now: number): boolean => now < expiresAt,
  // auth.refresh.seven-days
  refreshTokenAlive: (expiresAt: number, now: number): boolean => now < expiresAt,
  // auth.sessions.ended: an ended login refreshes no more
  refreshAfterRevocation: (revokedAt: Instant | undefined): boolean => revokedAt === undefined,
  // auth.sessions.ended: a caller ends its own logins only
  loginMayBeEnded: isOwnLogin,
  // auth.sessions.listed: own logins, redeemed, not ended, with a refresh token that has not expired
  loginListed: (login: Authentication, viewer: Viewer, now: Instant): boolean =>
    isOwnLogin(login, viewer) &&
    login.redeemedAt !== undefined &&
    login.revokedAt === undefined &&
    (login.refreshValidUntil ?? Infinity) > now,
  // auth.address-policy: outside of it no token works
  addressAllowed,
}
