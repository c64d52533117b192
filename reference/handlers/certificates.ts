import { certificateOf, stateOf, usageOf } from '../certificates/certificates.ts'
import { checkCsr } from '../certificates/csr.ts'
import type { IssuedCertificate } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import type { Handlers, ProtectedCall } from '../call/call.ts'
import { pageByNumber } from '../http/paging.ts'
import { refuse } from '../base/refusals.ts'
import { instantOf, reached, utc, utcOrNull } from '../base/wording.ts'

/**
 * Service certificates: applied for, fetched, revoked, listed. They belong to the subject that logged in, whatever
 * the context. Source: specification, Authentication; gap certificate-module.
 */

const day = 24 * 3600 * 1000

/** The attributes under which the caller applies. @throws refusal enrollment-method-unfit */
const attributesOf = ({ service, caller }: ProtectedCall) => {
  const { method, attributes } = caller.authentication
  if (!service.policy.enrollmentMethodFits(method) || attributes === undefined) {
    throw refuse('enrollment-method-unfit')
  }
  return attributes
}

const record = ({ service }: ProtectedCall, certificate: IssuedCertificate) => ({
  certificateSerialNumber: certificate.serialNumber,
  name: certificate.name,
  type: certificate.purpose,
  commonName: certificate.commonName,
  status: stateOf(service, certificate),
  subjectIdentifier: certificate.subject,
  validFrom: utc(certificate.validFrom),
  validTo: utc(certificate.validTo),
  lastUseDate: utcOrNull(certificate.lastUseAt),
  requestDate: utc(certificate.requestedAt),
})

const ownCertificates = ({ service, caller }: ProtectedCall): readonly IssuedCertificate[] =>
  service.state.certificates.by('subject', keyOf(caller.subject))

/** How long issuing and revoking take, ms. */
const certificateDelay = 40

const wanted = (value: string | null | undefined, found: string): boolean =>
  value === undefined || value === null || value === found

export const certificatesHandlers = {
  'certificates.limits': ({ service, caller }) => {
    const { policy } = service
    const { enrollments, certificates } = usageOf(service, caller.subject)
    const room =
      policy.enrollmentHasRoom(enrollments.used, enrollments.limit) &&
      policy.certificateHasRoom(certificates.used, certificates.limit)
    const shown = ({ used, limit }: typeof enrollments) => ({
      remaining: Math.max(0, limit - used),
      limit,
    })
    return {
      body: {
        canRequest: room && policy.enrollmentMethodFits(caller.authentication.method),
        enrollment: shown(enrollments),
        certificate: shown(certificates),
      },
    }
  },

  'certificates.data': (call) => {
    const { commonName = '', countryName = '', ...rest } = attributesOf(call)
    return { body: { commonName, countryName, ...rest } }
  },

  'certificates.enroll': async (call) => {
    const { service, caller, now } = call
    const { policy, state } = service
    const { body } = call
    const attributes = attributesOf(call)
    const validFrom = body.validFrom ? instantOf(body.validFrom) : undefined
    const latest = now + policy.certificateDays(service.limit('certificate.years')) * day
    if (validFrom !== undefined && validFrom > latest) {
      throw refuse('invalid-input', "'validFrom' lies further ahead than a certificate lasts")
    }
    const publicKey = Buffer.from(await checkCsr(body.csr, attributes, policy)).toString('base64')
    const { enrollments, certificates } = usageOf(service, caller.subject)
    if (!policy.enrollmentHasRoom(enrollments.used, enrollments.limit)) {
      throw refuse('enrollment-limit', `the limit is ${enrollments.limit}`)
    }
    if (!policy.certificateHasRoom(certificates.used, certificates.limit)) {
      throw refuse('certificate-limit', `the limit is ${certificates.limit}`)
    }
    const referenceNumber = service.identifiers.reference('EH')
    state.enrollments.put({
      referenceNumber,
      subject: caller.subject,
      name: body.certificateName,
      purpose: body.certificateType,
      publicKey,
      ...(validFrom !== undefined && { validFrom }),
      requestedAt: now,
      attributes,
      status: reached('application', 100),
    })
    service.schedule.later('enrollment', referenceNumber, certificateDelay)
    return { body: { referenceNumber, timestamp: utc(now) } }
  },

  'certificates.enrollment': ({ service, caller, path, now }) => {
    const enrollment = service.state.enrollments.get(path.referenceNumber)
    if (enrollment === undefined || keyOf(enrollment.subject) !== keyOf(caller.subject)) {
      throw refuse('enrollment-unknown', path.referenceNumber)
    }
    const age = now - enrollment.requestedAt
    if (!service.policy.statusKept(age, service.limit('retention.operationDays')))
      throw refuse('resource-gone')
    return {
      body: {
        requestDate: utc(enrollment.requestedAt),
        status: enrollment.status,
        certificateSerialNumber: enrollment.serialNumber ?? null,
      },
    }
  },

  'certificates.retrieve': (call) => {
    const { certificateSerialNumbers } = call.body
    const asked = new Set(certificateSerialNumbers)
    const certificates = ownCertificates(call)
      .filter(({ serialNumber }) => asked.has(serialNumber))
      .map(({ certificate, name, serialNumber, purpose }) => ({
        certificate,
        certificateName: name,
        certificateSerialNumber: serialNumber,
        certificateType: purpose,
      }))
    return { body: { certificates } }
  },

  'certificates.revoke': (call) => {
    const { service, caller, now } = call
    const { policy, state } = service
    const { revocationReason } = call.body
    if (!policy.revocationMethodFits(caller.authentication.method)) {
      throw refuse('missing-permission', 'not after a login by token', {
        facts: { reasonCode: 'auth-method-not-allowed' },
      })
    }
    const certificate = certificateOf(service, caller.subject, call.path.certificateSerialNumber)
    const shown = stateOf(service, certificate)
    if (!policy.certificateRevocable(shown)) {
      throw refuse('certificate-not-revocable', `it is ${shown}`)
    }
    state.certificates.put({
      ...certificate,
      revoking: now,
      revocationReason: revocationReason ?? 'Unspecified',
    })
    service.schedule.later('certificate', certificate.serialNumber, certificateDelay)
    return {}
  },

  'certificates.query': (call) => {
    const filters = call.body
    const after = filters.expiresAfter ? instantOf(filters.expiresAfter) : undefined
    const name = filters.name?.toLowerCase()
    const found = ownCertificates(call)
      .filter(
        (certificate) =>
          wanted(filters.certificateSerialNumber, certificate.serialNumber) &&
          wanted(filters.type, certificate.purpose) &&
          wanted(filters.status, stateOf(call.service, certificate)) &&
          (name === undefined || certificate.name.toLowerCase().includes(name)) &&
          (after === undefined || certificate.validTo > after),
      )
      .map((certificate) => record(call, certificate))
    const { items, hasMore } = pageByNumber(call, found)
    return { body: { certificates: items, hasMore } }
  },
} satisfies Handlers<'certificates'>
