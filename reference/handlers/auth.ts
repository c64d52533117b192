import { checkCredentials, inProgress, openEnvelope, subjectOf } from '../login/authentication.ts'
import { explainTokenOf, unreadable } from '../login/explain.ts'
import { authenticationView as record, iso, loginSessions } from './login-sessions.ts'
import type {
  AddressPolicy,
  Authentication,
  ContextIdentifier,
  Credential,
} from '../model/entities.ts'
import type { Service } from '../call/service.ts'
import type { AnyCall, Handlers, ProtectedCall } from '../call/call.ts'
import { contextFits } from '../model/context-form.ts'
import { fingerprintOf, parseCertificate } from '../base/certificate.ts'
import { fromBase64, sha256Base64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import { readRequest } from '../login/auth-request.ts'
import { isSelfIssued, providerOf } from '../login/subject.ts'
import { verifyDocument } from '../login/xades.ts'

/** Authentication: challenge, both mechanisms, status, tokens, login sessions. Source: Authentication. */

interface TokenLogin {
  readonly challenge: string
  readonly contextIdentifier: ContextIdentifier
  readonly encryptedToken: string
  readonly publicKeyId?: string | null
  readonly authorizationPolicy?: {
    readonly allowedIps?: {
      readonly ip4Addresses?: readonly string[] | null
      readonly ip4Ranges?: readonly string[] | null
      readonly ip4Masks?: readonly string[] | null
    } | null
  } | null
}

/** Uses a challenge up. @returns when it was issued. @throws refusal challenge-invalid */
const useChallenge = (service: Service, value: string, now: number): number => {
  const { state, policy } = service
  const challenge = state.challenges.get(value)
  if (challenge === undefined) throw refuse('challenge-invalid', 'it is unknown')
  if (!policy.challengeUnused(challenge)) throw refuse('challenge-invalid', 'it was used before')
  const lifetime = service.limit('challenge.lifetime')
  if (!policy.challengeAlive(challenge.issuedAt, now, lifetime)) {
    throw refuse('challenge-invalid', 'it has expired')
  }
  state.challenges.put({ ...challenge, spent: true })
  return challenge.issuedAt
}

const day = 24 * 3600 * 1000

/** Any caller may ask for challenges: those that expired a day ago are forgotten, the oldest first. */
const forgetChallenges = (service: Service, now: number): void => {
  const { challenges } = service.state
  const lifetime = service.limit('challenge.lifetime') * 1000
  for (const { value, issuedAt } of challenges.values()) {
    if (issuedAt + lifetime + day > now) return
    challenges.delete(value)
  }
}

const start = (
  call: AnyCall,
  about: Omit<
    Authentication,
    'referenceNumber' | 'address' | 'startedAt' | 'validUntil' | 'status'
  >,
) => {
  const { service, now } = call
  const referenceNumber = service.identifiers.reference('AU')
  const { token, validUntil } = service.jwt.sign({
    stage: 'authentication',
    reference: referenceNumber,
    now,
    lifetime: service.limit('authenticationToken.lifetime'),
    claims: { cit: about.context.type, civ: about.context.value, aum: about.method },
  })
  service.state.authentications.put({
    ...about,
    referenceNumber,
    address: call.address,
    startedAt: now,
    validUntil,
    status: inProgress,
  })
  // The checks take a while, except for a certificate of the service itself.
  const delay = about.credential === 'InternalCertificate' ? 0 : 80
  service.schedule.later('authentication', referenceNumber, delay)
  return {
    body: { referenceNumber, authenticationToken: { token, validUntil: iso(validUntil) } },
  }
}

/** The kind of credential that a certificate is, by its attributes and issuer. */
const credentialOf = (service: Service, der: Uint8Array): Credential => {
  const certificate = parseCertificate(der)
  const authority = parseCertificate(Buffer.from(service.keys.authority.certificate, 'base64'))
  if (certificate.checkIssued(authority)) return 'InternalCertificate'
  return isSelfIssued(certificate) ? 'SelfSigned' : 'QualifiedSignature'
}

const accessToken = (
  call: AnyCall,
  authentication: Authentication,
  permissions: Iterable<string>,
) => {
  const { service, now } = call
  const { token, validUntil } = service.jwt.sign({
    stage: 'access',
    reference: authentication.referenceNumber,
    now,
    lifetime: service.limit('accessToken.lifetime'),
    claims: {
      cit: authentication.context.type,
      civ: authentication.context.value,
      aum: authentication.method,
      sut: authentication.subject?.type,
      suv: authentication.subject?.value,
      per: [...permissions],
    },
  })
  return { token, validUntil: iso(validUntil) }
}

/** An authentication as it is now: others may have changed it since the call began. */
const currentLogin = ({ state }: Service, { referenceNumber, ...rest }: Authentication) =>
  state.authentications.get(referenceNumber) ?? { referenceNumber, ...rest }

/** @throws refusal redeem-refused */
const checkUnredeemed = ({ service, caller }: ProtectedCall): Authentication => {
  const current = currentLogin(service, caller.authentication)
  if (service.policy.redeemedBefore(current.redeemedAt))
    throw refuse('redeem-refused', 'the tokens were issued before')
  return current
}

const listed = (policy: TokenLogin['authorizationPolicy']): AddressPolicy | undefined => {
  const ips = policy?.allowedIps
  if (ips === undefined || ips === null) return undefined
  return {
    addresses: ips.ip4Addresses ?? [],
    ranges: ips.ip4Ranges ?? [],
    masks: ips.ip4Masks ?? [],
  }
}

export const authHandlers = {
  'auth.challenge': ({ service, now, address }) => {
    const value = service.identifiers.reference('CR')
    forgetChallenges(service, now)
    service.state.challenges.put({ value, issuedAt: now, spent: false })
    return {
      body: {
        challenge: value,
        timestamp: iso(now),
        timestampMs: now,
        clientIp: address,
      },
    }
  },

  'auth.xades': (call) => {
    const { service, now } = call
    const { policy } = service
    const { request, certificate } = verifyDocument(call.bytes, policy, now, (element, document) =>
      readRequest(element, document, policy),
    )
    const { attributes, identifier } = subjectOf(certificate)
    const fingerprint = fingerprintOf(certificate)
    const ofProvider = request.context.type === 'PeppolId'
    if (ofProvider && !policy.providersKnown(service.dialect.providers === true, attributes))
      throw refuse('subject-context-mismatch', 'contexts of the kind PeppolId are not known here')
    const subject =
      request.subjectBy === 'fingerprint'
        ? ({ type: 'Fingerprint', value: fingerprint } as const)
        : ofProvider
          ? providerOf(attributes)
          : identifier
    if (subject === undefined) throw refuse('certificate-without-identifier')
    useChallenge(service, request.challenge, now)
    return start(call, {
      method: 'XadesSignature',
      credential: credentialOf(service, certificate),
      context: request.context,
      subject,
      attributes,
      fingerprint,
      certificate: Buffer.from(certificate).toString('base64'),
      documentDigest: sha256Base64(call.bytes),
      verifyChain: call.query['verifyCertificateChain'] === true,
      ...(request.policy && { policy: request.policy }),
    })
  },

  'auth.token': (call) => {
    const { service, now } = call
    const { body } = call
    if (!contextFits(body.contextIdentifier)) {
      throw refuse(
        'invalid-input',
        `'contextIdentifier.value' is no ${body.contextIdentifier.type}`,
      )
    }
    const encrypted = fromBase64(body.encryptedToken)
    if (encrypted === undefined) throw refuse('token-refused', "'encryptedToken' is not Base64")
    const plain = service.keys.decrypt(
      service.policy,
      'SvcTokenEncryption',
      encrypted,
      now,
      body.publicKeyId ?? undefined,
    )
    if (plain === 'unknown-key') throw refuse('public-key-unknown', body.publicKeyId ?? [])
    const issuedAt = useChallenge(service, body.challenge, now)
    const opened = openEnvelope(plain, issuedAt, service.policy.tokenTimestampForm)
    const envelope =
      plain === undefined && 'problem' in opened
        ? { ...opened, explanation: explainTokenOf(service, encrypted, now) }
        : opened
    if ('problem' in envelope)
      service.journal.add('decision', unreadable(service, envelope, plain, encrypted, now))
    const policy = listed(body.authorizationPolicy)
    return start(call, {
      method: 'Token',
      credential: 'Token',
      context: body.contextIdentifier,
      envelope,
      ...(policy && { policy }),
    })
  },

  'auth.status': ({ service, caller, path }) => {
    const { authentication } = caller
    const asked = service.state.authentications.get(path.referenceNumber)
    if (asked === undefined) throw refuse('authentication-unknown')
    if (!service.policy.statusBearerMatches(authentication.referenceNumber, path.referenceNumber)) {
      throw refuse('wrong-token', 'the token belongs to another authentication')
    }
    return { body: record(asked) }
  },

  'auth.redeem': (call) => {
    const { service, now } = call
    const { policy } = service
    const { caller } = call
    const { authentication } = caller
    if (!policy.redeemAllowed(authentication.status.code)) {
      throw refuse('redeem-refused', `the authentication is: ${authentication.status.description}`)
    }
    const current = checkUnredeemed(call)
    checkCredentials(service, authentication, 'redeem-refused')
    const access = accessToken(call, authentication, caller.permissions())
    const refresh = service.jwt.sign({
      stage: 'refresh',
      reference: authentication.referenceNumber,
      now,
      lifetime: service.limit('refreshToken.lifetime'),
      claims: { cit: authentication.context.type, civ: authentication.context.value },
    })
    service.state.authentications.put({
      ...current,
      redeemedAt: now,
      refreshValidUntil: refresh.validUntil,
    })
    return {
      body: {
        accessToken: access,
        refreshToken: { token: refresh.token, validUntil: iso(refresh.validUntil) },
      },
    }
  },

  'auth.refresh': (call) => {
    const { service, now } = call
    const { policy } = service
    const { caller } = call
    const { authentication } = caller
    if (!policy.refreshAfterRevocation(authentication.revokedAt)) {
      throw refuse('refresh-refused', 'the login session was ended')
    }
    checkCredentials(service, authentication, 'refresh-refused')
    const access = accessToken(call, authentication, caller.permissions())
    const current = currentLogin(service, authentication)
    service.state.authentications.put({ ...current, refreshedAt: now })
    return { body: { accessToken: access } }
  },

  ...loginSessions,
} satisfies Handlers<'auth'>
