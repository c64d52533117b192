import type { AddressPolicy } from '../model/entities.ts'
import { addressAllowed } from '../http/addresses.ts'

/** Decisions about challenges, authentication and the tokens of its stages. */

/** What decides whether a login is listed. */
export interface ListedLogin {
  readonly own: boolean
  readonly redeemed: boolean
  readonly running: boolean
  readonly refreshable: boolean
}

/** A login as the list shows it; some fields are there only when there is something to tell. */
export type LoginView = Readonly<Record<string, unknown>>

type Stage = 'authentication' | 'access' | 'refresh'

export const authPolicy = {
  // auth.challenge.ten-minutes: usable up to ten minutes after it was given
  challengeAlive: (issuedAt: number, now: number, lifetime: number): boolean =>
    now - issuedAt <= lifetime * 1000,
  // auth.challenge.single-use: spent by the first authentication that passes its checks
  challengeSpendable: (spent: boolean, _by: 'document' | 'token'): boolean => !spent,
  // auth.challenge.unknown-refused
  challengeMustBeKnown: (): boolean => true,
  // auth.challenge.individual
  challengeValue: (fresh: () => string): string => fresh(),

  // auth.xades.self-signed-by-environment: self-made certificates in the test environment only
  selfSignedAccepted: (environmentTakesThem: boolean): boolean => environmentTakesThem,
  // auth.xades.certificate-dates
  certificateInDates: (from: number, to: number, at: number): boolean => from <= at && at <= to,
  // auth.xades.service-certificate: a certificate of the service's own authority, for authentication, not revoked
  serviceCertificateAccepted: (purpose: 'Authentication' | 'Offline', revoked: boolean): boolean =>
    purpose === 'Authentication' && !revoked,
  // auth.xades.fingerprint: without identifiers only under a fingerprint that was granted something
  loginNeedsPermission: (permissions: number): boolean => permissions > 0,
  // auth.xades.certificate-check-delay and auth.status.moves-forward: the checks take a while
  authenticationDelay: (): number => 80,
  // auth.xades.certificate-check-delay: with a certificate of the service's own nothing delays
  serviceCertificateDelay: (): number => 0,

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
  // auth.token.sunset: none after the end of 2026
  tokenLoginOpen: (today: string, lastDay: string): boolean => today <= lastDay,

  // auth.status.moves-forward: a status that is final stays
  authenticationCompletes: (code: number): boolean => code === 100,
  // auth.status.moves-forward: what is shown is what is, however often it is asked for
  authenticationShown: (code: number, _asked: number): number => code,
  // auth.redeem.issues-pair
  redeemAnswers: (pair: {
    readonly accessToken: unknown
    readonly refreshToken: unknown
  }): Readonly<Record<string, unknown>> => pair,
  // auth.status.failure-is-final: what failed never redeems; auth.redeem.not-before-success
  redeemAllowed: (code: number): boolean => code === 200,
  // auth.redeem.once
  redeemAgainAllowed: (): boolean => false,
  // auth.redeem.not-after-expiry
  authenticationTokenAlive: (expiresAt: number, now: number): boolean => now < expiresAt,
  // auth.status.wrong-bearer-refused: the token of this very operation
  statusBearerMatches: (tokenReference: string, pathReference: string): boolean =>
    tokenReference === pathReference,

  // auth.access-token.required, auth.redeem.wrong-bearer-refused, auth.refresh.wrong-bearer-refused: one kind by stage
  bearerFits: (given: Stage, wanted: readonly Stage[]): boolean => wanted.includes(given),
  // auth.access-token.required: under the name of Bearer, and no other
  schemeAccepted: (scheme: string): boolean => scheme.toLowerCase() === 'bearer',
  // auth.access-token.forged-refused
  forgedAccepted: (): boolean => false,
  // auth.access-token.expires: good before exp, not at it
  accessTokenAlive: (expiresAt: number, now: number): boolean => now < expiresAt,
  // auth.access-token.jwt-lifetime: a dozen or so minutes
  accessTokenLifetime: (seconds: number): number => seconds,
  // auth.refresh.seven-days
  refreshTokenLifetime: (seconds: number): number => seconds,
  refreshTokenAlive: (expiresAt: number, now: number): boolean => now < expiresAt,
  // auth.refresh.repeatable
  refreshAgainAllowed: (): boolean => true,
  // auth.sessions.ended: an ended login refreshes no more
  refreshAfterRevocation: (revoked: boolean): boolean => !revoked,
  // auth.sessions.ended: one's own and nobody else's
  loginMayBeEnded: (own: boolean): boolean => own,
  // auth.sessions.ended: that one alone
  endsAnotherLogin: (): boolean => false,
  // auth.sessions.listed: of the context of the caller
  loginsOfContextOnly: (): boolean => true,
  // auth.sessions.listed: every one of these must hold
  loginListed: ({ own, redeemed, running, refreshable }: ListedLogin): boolean =>
    own && redeemed && running && refreshable,
  // auth.sessions.listed: all of them, the newest first
  loginsShown: <T>(newestFirst: readonly T[]): readonly T[] => newestFirst,
  // auth.sessions.described
  loginShown: (view: LoginView): LoginView => view,
  // auth.challenge.client-address
  clientAddress: (address: string): string => address,
  // auth.address-policy: outside of it no token works
  addressAllowed: (address: string, policy: AddressPolicy): boolean =>
    addressAllowed(address, policy),
}
