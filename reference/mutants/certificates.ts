import type { Mutant } from '../mutant.ts'
import { policy } from '../policy.ts'

export const certificatesMutants = {
  'certificates.enrol.never-ends': {
    breaks: ['certificates.enrol'],
    policy: { enrollmentCompletes: () => false },
  },
  'certificates.enrol.issued-is-unknown': {
    breaks: ['certificates.enrol', 'auth.xades.service-certificate'],
    policy: { issuedFingerprint: () => '' },
  },
  'certificates.two-years.third-year': {
    breaks: ['certificates.two-years'],
    policy: { certificateDays: (years) => policy.certificateDays(years + 1) },
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
  'certificates.limits.disagree': {
    breaks: ['certificates.limits'],
    policy: { shownLimit: (most) => most + 1 },
  },
  'auth.xades.service-certificate-refused': {
    breaks: ['auth.xades.service-certificate'],
    policy: { serviceCertificateAccepted: () => false },
  },
} as const satisfies Record<string, Mutant>
