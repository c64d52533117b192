import type { Instant } from '../base/instants.ts'
import type { IssuedCertificate, LoginMethod } from '../model/entities.ts'

/** Decisions about applications for certificates and the certificates of the service. */

/** How the list shows a certificate. */
export type CertificateState = 'Active' | 'Blocked' | 'Revoked' | 'Expired'

const hashes: ReadonlySet<string> = new Set(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])
const schemes: ReadonlySet<string> = new Set(['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'ECDSA'])

export const certificatesPolicy = {
  // gap certificate-module: a caller that logged in by a token neither applies for nor revokes a certificate
  enrollmentMethodFits: (method: LoginMethod): boolean => method !== 'Token',
  // certificates.revoke
  revocationMethodFits: (method: LoginMethod): boolean => method !== 'Token',
  // certificates.enrol: the request repeats the attributes of the caller, all of them and no other
  csrSubjectFits: (differences: readonly string[]): boolean => differences.length === 0,
  // gap certificate-module: RSA of 2048 bits, or the curve P-256
  csrKeyFits: (kind: string, details: { modulusLength?: number; namedCurve?: string }): boolean =>
    (kind === 'rsa' && details.modulusLength === 2048) ||
    (kind === 'ec' && details.namedCurve === 'prime256v1'),
  // gap certificate-module
  csrAlgorithmFits: (scheme: string, hash: string | undefined): boolean =>
    schemes.has(scheme) && hash !== undefined && hashes.has(hash),
  // gap certificate-module: a key belongs to one subject
  keyMayBeCertified: (owner: string, holders: readonly string[]): boolean =>
    holders.every((holder) => holder === owner),

  // gap certificate-module: a certificate is valid from the requested instant on, and not before it is issued
  certificateStart: (requested: Instant | undefined, issuedAt: Instant): Instant =>
    Math.max(requested ?? 0, issuedAt),
  // certificates.two-years, in days: two years are at least 730 of them
  certificateDays: (years: number): number => 365 * years,

  // certificates.limits
  enrollmentHasRoom: (used: number, limit: number): boolean => used < limit,
  // certificates.limits: certificates that are neither revoked nor expired
  certificateCounts: (state: string): boolean => state === 'Active',
  // certificates.limits: the active ones count
  certificateHasRoom: (active: number, limit: number): boolean => active < limit,

  // certificates.revoke: blocked until the revocation has finished
  certificateState: (certificate: IssuedCertificate, now: number): CertificateState => {
    if (certificate.revokedAt !== undefined) return 'Revoked'
    if (certificate.revoking !== undefined) return 'Blocked'
    return now < certificate.validTo ? 'Active' : 'Expired'
  },
  // certificates.revoke
  certificateRevocable: (state: CertificateState): boolean => state === 'Active',
}
