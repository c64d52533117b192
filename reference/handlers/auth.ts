import { X509Certificate } from 'node:crypto'
import { inProgress, openEnvelope, subjectOf } from '../login/authentication.ts'
import { authenticationView as record, iso, loginSessions } from './login-sessions.ts'
import type {
  AddressPolicy,
  Authentication,
  ContextIdentifier,
  Credential,
} from '../model/entities.ts'
import type { Service } from '../call/service.ts'
import type { AnyCall, Handlers } from '../call/call.ts'
import { contextFits } from '../model/context-form.ts'
import { fromBase64, sha256Base64 } from '../base/crypto.ts'
import { refuse } from '../base/refusals.ts'
import type { AuthenticationRequest } from '../login/auth-request.ts'
import { readRequest } from '../login/auth-request.ts'
import { nipOf } from '../rights/rights.ts'
import { fingerprintOf, isSelfIssued } from '../login/subject.ts'
import { verifyDocument } from '../login/xades.ts'

/** Authentication: challenge, both mechanisms, status, tokens, login sessions. Source: specification, Authentication. */

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

/** Takes a challenge out of use. @throws refusal challenge-invalid */
const spend = (service: Service, value: string, now: number, by: 'document' | 'token'): number => {
  const { state, policy } = service
  const challenge = state.challenges.get(value)
  if (challenge === undefined) {
    if (policy.challengeMustBeKnown()) throw refuse('challenge-invalid', 'it is not known')
    return now
  }
  if (!policy.challengeSpendable(challenge.spent, by))
    throw refuse('challenge-invalid', 'it was used before')
  const lifetime = service.limit('challenge.lifetime')
  if (!policy.challengeAlive(challenge.issuedAt, now, lifetime)) {
    throw refuse('challenge-invalid', 'it has expired')
  }
  challenge.spent = true
  state.challenges.put(challenge)
  return challenge.issuedAt
}

const day = 24 * 3600 * 1000

/** Anybody may ask for challenges: those that are over for a day are forgotten, the oldest first. */
const forgetChallenges = (service: Service, now: number): void => {
  const { challenges } = service.state
  const lifetime = service.limit('challenge.lifetime') * 1000
  for (const { value, issuedAt } of challenges.values()) {
    if (issuedAt + lifetime + day > now) return
    challenges.delete(value)
  }
}

const start = async (
  call: AnyCall,
  about: Omit<
    Authentication,
    'referenceNumber' | 'address' | 'startedAt' | 'validUntil' | 'status'
  >,
) => {
  const { service, now } = call
  const referenceNumber = service.identifiers.reference('AU')
  const { token, validUntil } = await service.jwt.sign({
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
  const delay =
    about.credential === 'InternalCertificate'
      ? service.policy.serviceCertificateDelay()
      : service.policy.authenticationDelay()
  service.schedule.later('authentication', referenceNumber, delay)
  return {
    body: { referenceNumber, authenticationToken: { token, validUntil: iso(validUntil) } },
  }
}

/** Only a service that takes unsigned documents comes here: it believes what they say. */
const startUnsigned = (call: AnyCall, request: AuthenticationRequest) => {
  spend(call.service, request.challenge, call.now, 'document')
  return start(call, {
    method: 'XadesSignature',
    credential: 'SelfSigned',
    context: request.context,
    subject: { type: 'Nip', value: nipOf(request.context) },
  })
}

/** What the attributes and the issuer of a certificate make it. */
const credentialOf = (service: Service, der: Uint8Array): Credential => {
  const certificate = new X509Certificate(der)
  const authority = new X509Certificate(Buffer.from(service.keys.authority.certificate, 'base64'))
  if (certificate.checkIssued(authority)) return 'InternalCertificate'
  return isSelfIssued(certificate) ? 'SelfSigned' : 'QualifiedSignature'
}

const accessToken = async (
  call: AnyCall,
  authentication: Authentication,
  permissions: Iterable<string>,
) => {
  const { service, now } = call
  const { token, validUntil } = await service.jwt.sign({
    stage: 'access',
    reference: authentication.referenceNumber,
    now,
    lifetime: service.policy.accessTokenLifetime(service.limit('accessToken.lifetime')),
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
    const value = service.policy.challengeValue(() => service.identifiers.reference('CR'))
    forgetChallenges(service, now)
    service.state.challenges.put({ value, issuedAt: now, spent: false })
    return {
      body: {
        challenge: value,
        timestamp: iso(now),
        timestampMs: now,
        clientIp: service.policy.clientAddress(address),
      },
    }
  },

  'auth.xades': (call) => {
    const { service, now } = call
    const { policy } = service
    const { request, certificate } = verifyDocument(call.bytes, policy, now, (element, document) =>
      readRequest(element, document, policy),
    )
    if (certificate.length === 0) return startUnsigned(call, request)
    const { attributes, identifier } = subjectOf(certificate)
    const fingerprint = fingerprintOf(certificate)
    const subject =
      request.subjectBy === 'fingerprint'
        ? ({ type: 'Fingerprint', value: fingerprint } as const)
        : identifier
    if (subject === undefined) throw refuse('certificate-without-identifier')
    spend(service, request.challenge, now, 'document')
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
    const body = call.body as TokenLogin
    if (!contextFits(body.contextIdentifier)) {
      throw refuse(
        'invalid-input',
        `'contextIdentifier.value' is no ${body.contextIdentifier.type}`,
      )
    }
    const encrypted = fromBase64(body.encryptedToken)
    if (encrypted === undefined) throw refuse('token-refused', "'encryptedToken' is not Base64")
    const plain = service.keys.decrypt(
      'SvcTokenEncryption',
      encrypted,
      now,
      body.publicKeyId ?? undefined,
    )
    if (plain === 'unknown-key') throw refuse('public-key-unknown', body.publicKeyId ?? [])
    const issuedAt = spend(service, body.challenge, now, 'token')
    const policy = listed(body.authorizationPolicy)
    return start(call, {
      method: 'Token',
      credential: 'Token',
      context: body.contextIdentifier,
      envelope: openEnvelope(plain, issuedAt, service.policy.tokenTimestampForm),
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
    asked.asked = (asked.asked ?? 0) + 1
    const shown = service.policy.authenticationShown(asked.status.code, asked.asked)
    const status = shown === asked.status.code ? asked.status : { ...asked.status, code: shown }
    return { body: { ...record(asked), status } }
  },

  'auth.redeem': async (call) => {
    const { service, now } = call
    const { policy } = service
    const { caller } = call
    const { authentication } = caller
    if (!policy.redeemAllowed(authentication.status.code)) {
      throw refuse('redeem-refused', `the authentication is: ${authentication.status.description}`)
    }
    if (authentication.redeemedAt !== undefined && !policy.redeemAgainAllowed()) {
      throw refuse('redeem-refused', 'the tokens were taken before')
    }
    const access = await accessToken(call, authentication, caller.permissions())
    const refresh = await service.jwt.sign({
      stage: 'refresh',
      reference: authentication.referenceNumber,
      now,
      lifetime: policy.refreshTokenLifetime(service.limit('refreshToken.lifetime')),
      claims: { cit: authentication.context.type, civ: authentication.context.value },
    })
    // Signing waited: another redeem may have come in between.
    if (authentication.redeemedAt !== undefined && !policy.redeemAgainAllowed()) {
      throw refuse('redeem-refused', 'the tokens were taken before')
    }
    authentication.redeemedAt = now
    authentication.refreshValidUntil = refresh.validUntil
    service.state.authentications.put(authentication)
    return {
      body: policy.redeemAnswers({
        accessToken: access,
        refreshToken: { token: refresh.token, validUntil: iso(refresh.validUntil) },
      }),
    }
  },

  'auth.refresh': async (call) => {
    const { service, now } = call
    const { policy } = service
    const { caller } = call
    const { authentication } = caller
    if (!policy.refreshAfterRevocation(authentication.revokedAt !== undefined)) {
      throw refuse('refresh-refused', 'the login session was ended')
    }
    if (authentication.refreshedAt !== undefined && !policy.refreshAgainAllowed()) {
      throw refuse('refresh-refused', 'the token was used before')
    }
    if (authentication.token !== undefined) {
      const token = service.state.tokens.get(authentication.token)
      if (!policy.refreshByToken(token?.status === 'Active')) {
        throw refuse('refresh-refused', 'the service token is no longer active')
      }
    }
    const access = await accessToken(call, authentication, caller.permissions())
    authentication.refreshedAt = now
    service.state.authentications.put(authentication)
    return { body: { accessToken: access } }
  },

  ...loginSessions,
} satisfies Handlers<'auth'>
