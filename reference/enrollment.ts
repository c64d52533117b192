import { X509Certificate, createPublicKey } from 'node:crypto'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import type { Service } from './context.ts'
import { sha256Base64 } from './crypto.ts'
import type { Enrollment, SubjectAttributes, SubjectIdentifier } from './entities.ts'
import { keyOf } from './entities.ts'
import { refuse, statusOf } from './refusals.ts'
import { fingerprintOf } from './subject.ts'

/** Applications for service certificates: the request checked, the certificate issued, revoked. Source: gap certificate-module. */

const oids: Readonly<Record<string, keyof SubjectAttributes>> = {
  CN: 'commonName',
  '2.5.4.3': 'commonName',
  C: 'countryName',
  '2.5.4.6': 'countryName',
  G: 'givenName',
  GN: 'givenName',
  '2.5.4.42': 'givenName',
  SN: 'surname',
  '2.5.4.4': 'surname',
  SERIALNUMBER: 'serialNumber',
  '2.5.4.5': 'serialNumber',
  '2.5.4.45': 'uniqueIdentifier',
  O: 'organizationName',
  '2.5.4.10': 'organizationName',
  '2.5.4.97': 'organizationIdentifier',
}

/** A certificate request, read. */
export interface CertificateRequest {
  readonly attributes: SubjectAttributes
  /** Distinguished name in the order of the request. */
  readonly subject: string
  /** SPKI, DER. */
  readonly publicKey: Uint8Array
  readonly verified: boolean
  readonly algorithm: { readonly name: string; readonly hash: string }
}

/** Reads a PKCS#10 request, DER; undefined when it is none. */
export const readCsr = async (der: Uint8Array): Promise<CertificateRequest | undefined> => {
  try {
    const request = new Pkcs10CertificateRequest(new Uint8Array(der))
    const attributes: Partial<Record<keyof SubjectAttributes, string>> = {}
    for (const part of request.subjectName.toJSON()) {
      for (const [type, values] of Object.entries(part)) {
        const name = oids[type] ?? oids[type.toUpperCase()]
        if (name !== undefined) attributes[name] ??= values[0] ?? ''
      }
    }
    const { name, hash } = request.signatureAlgorithm as { name: string; hash?: { name: string } }
    return {
      attributes,
      subject: request.subject,
      publicKey: new Uint8Array(request.publicKey.rawData),
      verified: await request.verify().catch(() => false),
      algorithm: { name, hash: hash?.name ?? '' },
    }
  } catch {
    return undefined
  }
}

const same = (a: SubjectAttributes, b: SubjectAttributes): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof SubjectAttributes)[]).every(
    (name) => (a[name] ?? '') === (b[name] ?? ''),
  )

/**
 * Checks a request against the data of the caller.
 * @throws refusals csr-malformed, csr-key-refused, csr-algorithm-refused, enrollment-data-differ
 */
export const checkCsr = async (
  service: Service,
  der: Uint8Array,
  data: SubjectAttributes,
): Promise<void> => {
  const { policy } = service
  const request = await readCsr(der)
  if (request === undefined || !policy.requestVerifies(request.verified))
    throw refuse('csr-malformed')
  const key = createPublicKey({ key: Buffer.from(request.publicKey), format: 'der', type: 'spki' })
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (!policy.requestKeyAccepted(key.asymmetricKeyType, modulusLength ?? namedCurve)) {
    throw refuse('csr-key-refused')
  }
  if (!policy.requestAlgorithmAccepted(request.algorithm.name, request.algorithm.hash)) {
    throw refuse('csr-algorithm-refused', `${request.algorithm.name} ${request.algorithm.hash}`)
  }
  if (!policy.requestDataFit(same(request.attributes, data))) throw refuse('enrollment-data-differ')
}

/** Certificates of a subject that are active or being revoked. */
export const activeCertificates = (service: Service, subject: SubjectIdentifier): number =>
  service.state.certificates
    .by('subject', keyOf(subject))
    .filter((entry) => service.policy.certificateState(entry, service.clock.now()) === 'Active')
    .length

const addYears = (instant: number, years: number): number => {
  const date = new Date(instant)
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.getTime()
}

/** Issues the certificate of an application that is accepted for processing, or rejects it. */
export const finishEnrollment = async (service: Service, reference: string): Promise<void> => {
  const { state } = service
  const enrollment = state.enrollments.get(reference)
  if (enrollment === undefined || enrollment.status.code !== 100) return
  if (!service.policy.enrollmentCompletes()) return
  const request = await readCsr(Buffer.from(enrollment.csr, 'base64'))
  if (request === undefined) return
  const publicKeyDigest = sha256Base64(request.publicKey)
  const taken = [...state.certificates.values()].some(
    (entry) =>
      entry.publicKeyDigest === publicKeyDigest &&
      keyOf(entry.subject) !== keyOf(enrollment.subject),
  )
  if (taken)
    enrollment.status = { code: 400, description: 'rejected', details: ['the key is in use'] }
  else await issue(service, enrollment, request, publicKeyDigest)
  state.enrollments.put(enrollment)
  service.journal.add('state', { of: 'application', reference, code: enrollment.status.code })
}

const issue = async (
  service: Service,
  enrollment: Enrollment,
  request: CertificateRequest,
  publicKeyDigest: string,
): Promise<void> => {
  const { state, policy, clock, dialect } = service
  const most = service.limits.subject(enrollment.subject).maxCertificates
  if (!policy.certificateAllowed(activeCertificates(service, enrollment.subject), most)) {
    enrollment.status = statusOf('certificate-limit', dialect)
    return
  }
  const from = Math.floor((enrollment.validFrom ?? clock.now()) / 1000) * 1000
  const to = addYears(from, policy.certificateYears(service.limit('certificate.years'))) - 1000
  const issued = await service.keys.authority.issue({
    subject: request.subject,
    publicKey: request.publicKey,
    usage: enrollment.purpose,
    validFrom: from,
    validTo: to,
  })
  const der = Buffer.from(issued.certificate, 'base64')
  state.certificates.put({
    serialNumber: new X509Certificate(der).serialNumber,
    name: enrollment.name,
    purpose: enrollment.purpose,
    subject: enrollment.subject,
    commonName: request.attributes.commonName ?? '',
    certificate: issued.certificate,
    fingerprint: policy.issuedFingerprint(fingerprintOf(der)),
    publicKeyDigest,
    requestedAt: enrollment.requestedAt,
    validFrom: from,
    validTo: to,
  })
  enrollment.serialNumber = issued.serialNumber
  enrollment.status = { code: 200, description: 'certificate issued' }
}

/** Ends the revocation of a certificate. */
export const finishRevocation = (service: Service, serialNumber: string): void => {
  const certificate = service.state.certificates.get(serialNumber)
  if (certificate?.revoking === undefined || certificate.revokedAt !== undefined) return
  certificate.revokedAt = service.clock.now()
  service.state.certificates.put(certificate)
  service.journal.add('state', { of: 'certificate', serialNumber, state: 'Revoked' })
}
