import type { Service } from '../call/service.ts'
import { nameOf } from './csr.ts'
import type { Enrollment, IssuedCertificate, SubjectIdentifier } from '../model/entities.ts'
import { keyOf } from '../model/entities.ts'
import { refuse, statusOf } from '../base/refusals.ts'
import { fingerprintOf } from '../base/certificate.ts'
import { reached } from '../base/wording.ts'

/** Certificates that the service issues: counted, issued, revoked. Source: gap certificate-module. */

const day = 24 * 3600 * 1000

export const stateOf = (service: Service, certificate: IssuedCertificate) =>
  service.policy.certificateState(certificate, service.clock.now())

/** What a subject may have, and how much of it is used. */
export const usageOf = (service: Service, subject: SubjectIdentifier) => {
  const { state, limits } = service
  const { maxEnrollments, maxCertificates } = limits.subject(subject)
  const enrollments = state.enrollments.by('subject', keyOf(subject))
  const active = state.certificates
    .by('subject', keyOf(subject))
    .filter((certificate) => service.policy.certificateCounts(stateOf(service, certificate)))
  return {
    enrollments: { used: enrollments.length, limit: maxEnrollments },
    certificates: { used: active.length, limit: maxCertificates },
  }
}

/** Issues the certificate of a pending application, or rejects it. */
export const completeEnrollment = async (service: Service, reference: string): Promise<void> => {
  const enrollment = service.state.enrollments.get(reference)
  if (enrollment === undefined || enrollment.status.code !== 100) return
  const ended = await outcome(service, enrollment)
  service.state.enrollments.put({ ...enrollment, ...ended })
  service.journal.add('state', { of: 'application', reference, code: ended.status.code })
}

const outcome = async (
  service: Service,
  enrollment: Enrollment,
): Promise<Pick<Enrollment, 'status' | 'serialNumber'>> => {
  const { state, policy, dialect, clock, keys } = service
  const { certificates } = usageOf(service, enrollment.subject)
  if (!policy.certificateHasRoom(certificates.used, certificates.limit)) {
    return { status: statusOf('certificate-limit', dialect) }
  }
  const holders = [...state.certificates.values()]
    .filter(({ publicKey }) => publicKey === enrollment.publicKey)
    .map(({ subject }) => keyOf(subject))
  if (!policy.keyMayBeCertified(keyOf(enrollment.subject), holders)) {
    return { status: reached('application', 400, ['the key is certified for another subject']) }
  }
  // Whole seconds, as a certificate has them.
  const since = Math.floor(policy.certificateStart(enrollment.validFrom, clock.now()) / 1000) * 1000
  const validTo = since + policy.certificateDays(service.limit('certificate.years')) * day
  const { certificate, serialNumber } = await keys.authority.issue({
    subject: nameOf(enrollment.attributes),
    publicKey: Buffer.from(enrollment.publicKey, 'base64'),
    usage: enrollment.purpose,
    validFrom: since,
    validTo,
  })
  state.certificates.put({
    serialNumber,
    name: enrollment.name,
    purpose: enrollment.purpose,
    subject: enrollment.subject,
    commonName: enrollment.attributes.commonName ?? '',
    certificate,
    fingerprint: fingerprintOf(Buffer.from(certificate, 'base64')),
    publicKey: enrollment.publicKey,
    requestedAt: enrollment.requestedAt,
    validFrom: since,
    validTo,
  })
  return { status: reached('application', 200), serialNumber }
}

/** Completes a revocation that was requested. */
export const completeRevocation = (service: Service, serialNumber: string): void => {
  const certificate = service.state.certificates.get(serialNumber)
  if (certificate?.revoking === undefined || certificate.revokedAt !== undefined) return
  service.state.certificates.put({ ...certificate, revokedAt: service.clock.now() })
  service.journal.add('state', { of: 'certificate', serialNumber, status: 'Revoked' })
}

/**
 * A certificate of a subject.
 * @throws refusal certificate-unknown
 */
export const certificateOf = (
  service: Service,
  subject: SubjectIdentifier,
  serialNumber: string,
): IssuedCertificate => {
  const certificate = service.state.certificates.get(serialNumber)
  if (certificate === undefined || keyOf(certificate.subject) !== keyOf(subject)) {
    throw refuse('certificate-unknown', serialNumber)
  }
  return certificate
}
