import type { IssuedCertificate, LoginMethod } from '../model/entities.ts'

/** Decisions about applications for certificates and the certificates of the service. */

/** How the list shows a certificate. */
export type CertificateState = 'Active' | 'Blocked' | 'Revoked' | 'Expired'

const hashes: ReadonlySet<string> = new Set(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'])
const schemes: ReadonlySet<string> = new Set(['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'ECDSA'])

export type CertificateFilter =
  'certificateSerialNumber' | 'type' | 'status' | 'name' | 'expiresAfter'
/** A certificate as the list shows it. */
export type CertificateView = Readonly<Record<string, unknown>>

export const certificatesPolicy = {
  // certificates.listed: of the subject that asks, here and when documents are fetched
  certificatesOfSubjectOnly: (_for: 'list' | 'fetch'): boolean => true,
  // certificates.listed: every filter that is given must fit
  certificateFits: (_filter: CertificateFilter, fits: boolean): boolean => fits,
  // certificates.listed
  certificateShown: (view: CertificateView): CertificateView => view,
  // certificates.listed
  certificatesPage: <T>(page: { items: readonly T[]; hasMore: boolean }) => page,

  // gap certificate-module: who logged in by a token applies for nothing and revokes nothing
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
  // gap certificate-module: the application proves that its author has the key
  csrSignatureFits: (verified: boolean): boolean => verified,
  // certificates.enrol: an application that waits comes to its end
  enrollmentCompletes: (code: number): boolean => code === 100,
  // the certificate is made, and revoked, a little later
  certificateDelay: (): number => 40,
  // certificates.enrol: what a certificate is for is written in it
  certifiedFor: (purpose: IssuedCertificate['purpose']): IssuedCertificate['purpose'] => purpose,
  // certificates.enrol: what was issued is known again when it signs
  issuedFingerprint: (fingerprint: string): string => fingerprint,
  // gap certificate-module: a key belongs to one subject
  keyMayBeCertified: (ofAnother: boolean): boolean => !ofAnother,

  // certificates.two-years, in days: two years are at least 730 of them
  certificateDays: (years: number): number => 365 * years,

  // certificates.limits
  enrollmentHasRoom: (made: number, most: number): boolean => made < most,
  // certificates.limits: those that are neither revoked nor at their end
  certificateCounts: (state: string): boolean => state === 'Active',
  // certificates.limits: the active ones count
  certificateHasRoom: (active: number, most: number): boolean => active < most,
  // certificates.limits
  shownLimit: (most: number): number => most,
  // certificates.limits
  remaining: (most: number, used: number): number => Math.max(0, most - used),

  // certificates.revoke: on its way until it is revoked
  certificateState: (certificate: IssuedCertificate, now: number): CertificateState => {
    if (certificate.revokedAt !== undefined) return 'Revoked'
    if (certificate.revoking !== undefined) return 'Blocked'
    return now < certificate.validTo ? 'Active' : 'Expired'
  },
  // certificates.revoke
  certificateRevocable: (state: CertificateState): boolean => state === 'Active',
}
