import type { Mutant } from './mutant.ts'
import type { CertificateFilter } from '../policy/certificates.ts'
import { policy } from '../policy/policy.ts'

/** One filter of the list is not looked at. */
const ignores = (filter: CertificateFilter): Mutant => ({
  breaks: ['certificates.listed'],
  policy: { certificateFits: (by, fits) => by === filter || fits },
})

/** The record with some fields otherwise. */
const shown = (fields: Readonly<Record<string, unknown>>): Mutant => ({
  breaks: ['certificates.listed'],
  policy: { certificateShown: (view) => ({ ...view, ...fields }) },
})

export const certificatesMutants = {
  'certificates.enrol.never-ends': {
    breaks: ['certificates.enrol'],
    policy: { enrollmentCompletes: () => false },
  },
  'certificates.enrol.issued-is-unknown': {
    breaks: ['certificates.enrol', 'auth.xades.service-certificate'],
    policy: { issuedFingerprint: () => '' },
  },
  'certificates.enrol.always-for-logins': {
    breaks: ['certificates.enrol'],
    policy: { certifiedFor: () => 'Authentication' },
  },
  'certificates.enrol.offline-logs-in': {
    breaks: ['certificates.enrol'],
    policy: { serviceCertificateAccepted: (_, revoked) => !revoked },
  },
  'certificates.two-years.third-year': {
    breaks: ['certificates.two-years'],
    policy: { certificateDays: (years) => policy.certificateDays(years + 1) },
  },
  'certificates.revoke.after-a-token': {
    breaks: ['certificates.revoke'],
    policy: { revocationMethodFits: () => true },
  },
  'certificates.revoke.opens-still': {
    breaks: ['certificates.revoke'],
    policy: { serviceCertificateAccepted: (purpose) => purpose === 'Authentication' },
  },
  'certificates.revoke.shown-as-active': {
    breaks: ['certificates.revoke'],
    policy: {
      certificateState: ({ validTo }, now) => (now < validTo ? 'Active' : 'Expired'),
    },
  },
  'certificates.limits.endless-applications': {
    breaks: ['certificates.limits'],
    policy: { enrollmentHasRoom: () => true },
  },
  'certificates.limits.endless-certificates': {
    breaks: ['certificates.limits'],
    policy: { certificateHasRoom: () => true },
  },
  'certificates.limits.revoked-count': {
    breaks: ['certificates.limits'],
    policy: { certificateCounts: () => true },
  },
  'certificates.limits.disagree': {
    breaks: ['certificates.limits'],
    policy: { shownLimit: (most) => most + 1 },
  },
  'auth.xades.service-certificate-refused': {
    breaks: ['auth.xades.service-certificate'],
    policy: { serviceCertificateAccepted: () => false },
  },

  'certificates.listed.any-serial-number': ignores('certificateSerialNumber'),
  'certificates.listed.any-type': ignores('type'),
  'certificates.listed.any-state': ignores('status'),
  'certificates.listed.any-name': ignores('name'),
  'certificates.listed.any-end': ignores('expiresAfter'),
  'certificates.listed.to-everyone': {
    breaks: ['certificates.listed'],
    policy: { certificatesOfSubjectOnly: (purpose) => purpose !== 'list' },
  },
  'certificates.listed.fetched-by-anyone': {
    breaks: ['certificates.listed'],
    policy: { certificatesOfSubjectOnly: (purpose) => purpose !== 'fetch' },
  },
  'certificates.listed.never-used': shown({ lastUseDate: null }),
  'certificates.listed.type-unknown': shown({ type: 'Offline' }),
  'certificates.listed.of-nobody': shown({
    subjectIdentifier: { type: 'Nip', value: '1111111111' },
  }),
  'certificates.listed.serial-number-of-another': shown({
    certificateSerialNumber: '0123456789ABCDEF',
  }),
  'certificates.listed.request-unknown': shown({ requestDate: '2000-01-01T00:00:00.000Z' }),
  'certificates.listed.name-lost': shown({ commonName: '' }),
  'certificates.listed.never-ends': {
    breaks: ['certificates.listed'],
    policy: {
      certificatesPage: (page) => ({ ...page, hasMore: page.items.length > 0 }),
    },
  },
  'certificates.listed.ends-early': {
    breaks: ['certificates.listed'],
    policy: { certificatesPage: (page) => ({ ...page, hasMore: false }) },
  },
} as const satisfies Record<string, Mutant>
