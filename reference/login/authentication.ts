import { tokensUntil } from '../../contract/environments.ts'
import type { Authentication, TokenEnvelope } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { Service } from '../call/service.ts'
import { parseCertificate } from '../base/certificate.ts'
import { sha256Hex } from '../base/crypto.ts'
import type { Status } from '../base/refusals.ts'
import { refuse, statusOf } from '../base/refusals.ts'
import { permissionsOfLogin } from '../rights/rights.ts'
import { explainTime } from './explain.ts'
import { attributesOf, identifierOf, isSelfIssued } from './subject.ts'

/** The asynchronous half of an authentication: who the caller is, whether the credential is valid, what it permits. */

export const inProgress: Status = { code: 100, description: 'in progress' }
const succeeded: Status = { code: 200, description: 'succeeded' }

/** What an encrypted token holds: `token|milliseconds`, split at the last separator because the token has its own. */
export const openEnvelope = (
  plain: Buffer | undefined,
  challengeIssuedAt: number,
  form: (text: string) => boolean,
): TokenEnvelope => {
  if (plain === undefined) return { problem: 'the token cannot be decrypted' }
  const text = plain.toString('utf8')
  const at = text.lastIndexOf('|')
  const timestamp = text.slice(at + 1)
  if (at < 0 || !form(timestamp)) {
    const explanation = explainTime(timestamp, challengeIssuedAt)
    const problem = 'the time of the token is missing or malformed'
    return explanation === undefined ? { problem } : { problem, explanation }
  }
  return { token: text.slice(0, at), timestamp, challengeIssuedAt }
}

/** Ends an authentication that is in progress. */
export const completeAuthentication = (service: Service, reference: string): void => {
  const { state, journal } = service
  const found = state.authentications.get(reference)
  if (found?.status.code !== inProgress.code) return
  const { envelope, ...begun } = found
  const login = identified(service, begun, envelope)
  const ended: Authentication =
    'code' in login ? { ...begun, status: login } : { ...login, status: outcome(service, login) }
  state.authentications.put(ended)
  if (ended.status === succeeded && ended.subject?.type === 'PeppolId') register(service, ended)
  const { context, status } = ended
  journal.add('state', {
    of: 'authentication',
    reference,
    context,
    code: status.code,
    details: status.details,
  })
}

/** Keeps a Peppol provider that logged in for the first time. */
const register = ({ state, clock }: Service, { subject, attributes }: Authentication): void => {
  const id = subject?.value ?? ''
  if (state.providers.get(id) !== undefined) return
  const name = attributes?.organizationName ?? id
  state.providers.put({ id, name, createdAt: clock.now() })
}

/** The authentication with the subject that its credential names, or why the credential is refused. */
const identified = (
  service: Service,
  begun: Authentication,
  envelope: TokenEnvelope | undefined,
): Authentication | Status => {
  const { state, dialect } = service
  if (state.blocks.get(keyOf(begun.context)) !== undefined)
    return statusOf('context-blocked', dialect)
  return begun.method === 'Token'
    ? checkToken(service, begun, envelope)
    : checkCertificate(service, begun)
}

/** Whether the credentials of a login are those of a deceased person. */
const isDeceased = ({ persons }: Service['state'], { subject }: Authentication): boolean =>
  subject !== undefined &&
  (subject.type === 'Pesel'
    ? persons.by('pesel', subject.value).some((person) => person.deceased)
    : persons.get(subject.value)?.deceased === true)

/**
 * Refuses tokens to a login whose credentials have become invalid since.
 * @throws refusals deceased-since-login, and the one given when its service token is no longer active
 */
export const checkCredentials = (
  { state, policy }: Service,
  authentication: Authentication,
  refusal: 'redeem-refused' | 'refresh-refused',
): void => {
  const { token } = authentication
  if (token !== undefined && !policy.loginByToken(state.tokens.get(token)?.status))
    throw refuse(refusal, 'the service token is no longer active')
  if (isDeceased(state, authentication))
    throw refuse('deceased-since-login', 'the credentials are those of a deceased person')
}

const outcome = (service: Service, authentication: Authentication): Status => {
  const { state, policy, dialect } = service
  if (isDeceased(state, authentication)) return statusOf('subject-deceased', dialect)
  if (!policy.permissionsSuffice(permissionsOfLogin(service, authentication).size)) {
    return statusOf('subject-without-permission', dialect)
  }
  return succeeded
}

const checkToken = (
  service: Service,
  authentication: Authentication,
  envelope: TokenEnvelope | undefined,
): Authentication | Status => {
  const { state, policy, dialect, clock } = service
  const refused = (detail: string, explanation?: string) =>
    statusOf(
      'token-refused',
      dialect,
      service.explain && explanation !== undefined ? [detail, explanation] : [detail],
    )
  if (envelope === undefined || 'problem' in envelope)
    return refused(envelope?.problem ?? 'no token', envelope?.explanation)
  const now = clock.now()
  const ends = dialect.tokensEnd ?? true
  if (ends && !policy.tokenLoginOpen(now, tokensUntil))
    return refused('tokens are no longer accepted')
  const skew = service.limit('serviceToken.clockSkew')
  if (!policy.tokenTimestampAccepted(Number(envelope.timestamp), authentication.startedAt, skew)) {
    return refused(
      'the time of the token is not close to the present',
      explainTime(envelope.timestamp, authentication.startedAt),
    )
  }
  const [token] = state.tokens.by('digest', sha256Hex(envelope.token))
  if (token === undefined) return refused('the token is not known')
  if (!policy.tokenOfContext(keyOf(token.context), keyOf(authentication.context))) {
    return refused('the token belongs to another context')
  }
  if (!policy.tokenUsable(token.status))
    return refused(`the token is ${token.status.toLowerCase()}`)
  if (ends && !policy.tokenInDates(token.validUntil, now)) return refused('the token has expired')
  state.tokens.put({ ...token, lastUseAt: now })
  return { ...authentication, token: token.referenceNumber, subject: token.author }
}

const checkCertificate = (
  service: Service,
  authentication: Authentication,
): Authentication | Status => {
  const { state, policy, dialect, clock } = service
  const refused = (detail: string) => statusOf('certificate-refused', dialect, detail)
  if (authentication.certificate === undefined) return refused('no certificate')
  const certificate = parseCertificate(Buffer.from(authentication.certificate, 'base64'))
  const from = Date.parse(certificate.validFrom)
  const to = Date.parse(certificate.validTo)
  if (!policy.certificateInDates(from, to, clock.now())) return refused('outside its validity')
  const authority = parseCertificate(Buffer.from(service.keys.authority.certificate, 'base64'))
  if (certificate.checkIssued(authority) && certificate.verify(authority.publicKey)) {
    const [issued] = state.certificates.by('fingerprint', authentication.fingerprint ?? '')
    if (issued === undefined) return refused('not one that the service issued')
    const revoked = (issued.revokedAt ?? issued.revoking) !== undefined
    if (!policy.serviceCertificateAccepted(issued.purpose, revoked)) {
      return refused(revoked ? 'revoked' : 'not for authentication')
    }
    if (!policy.certificateInDates(issued.validFrom, issued.validTo, clock.now())) {
      return refused('outside its validity')
    }
    state.certificates.put({ ...issued, lastUseAt: clock.now() })
    // A subject that was known by a fingerprint is still the same with another certificate.
    return issued.subject.type === 'Fingerprint'
      ? { ...authentication, subject: issued.subject }
      : authentication
  }
  // Nothing else can be traced to an authority offline: it counts as self-signed.
  if (authentication.verifyChain) return refused('the chain cannot be verified')
  if (!service.environment.selfSigned) return refused('not trusted here')
  if (isSelfIssued(certificate) && !certificate.verify(certificate.publicKey)) {
    return refused('its own signature does not verify')
  }
  return authentication
}

/** The identifier of the subject of a certificate, DER. */
export const subjectOf = (der: Uint8Array) => {
  const attributes = attributesOf(parseCertificate(der))
  return { attributes, identifier: identifierOf(attributes) }
}
