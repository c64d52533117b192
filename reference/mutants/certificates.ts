import { toTheLoginThatBegan } from './work-of-a-login.ts'
import type { OperationId } from '../../contract/endpoints.ts'
import { noneAfterARevocation, refusedApplicationsCount } from './refused-applications.ts'
import { usageOf } from '../certificates/certificates.ts'
import { keyOf, nipOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { takenFor } from './callers.ts'
import { longerFor, longerForPersons, sinceTheIssue, uncounted } from './certificates-by-purpose.ts'
import { certificateUsedByRefused, certificateUsedWhere } from './last-uses.ts'
import type { Mutant } from './mutant.ts'
import { longerWhenRenewed, revokedWithItsKey } from './same-keys.ts'
import type { Fields } from './rewrite.ts'
import { accepts, bodies, calls, ignores, neverEnds, records } from './rewrite.ts'
import { continuesAsTheWhole, continuesWhenFiltered } from './pages.ts'
import { collapsed, shows } from './spellings.ts'

const ofHolder = [
  'certificates.limits',
  'certificates.enroll',
  'certificates.enrollment',
  'certificates.query',
  'certificates.retrieve',
  'certificates.revoke',
  'limits.subject',
  'testdata.setSubjectLimits',
] as const

interface Limit {
  readonly limit: number
  readonly remaining: number
}

const oneMore = ({ limit, remaining }: Limit): Limit => ({
  limit: limit + 1,
  remaining: remaining + 1,
})

const counting = ['certificates.limits'] as const

/** An operation that finds the certificates of every subject. */
const ofEveryone = (operation: OperationId): Mutant => ({
  at: [operation],
  tables: {
    certificates: {
      find: (found, index, _value, table) => (index === 'subject' ? [...table.values()] : found),
    },
  },
})

const shown = (fields: Fields): Mutant => records(['certificates.query'], 'certificates', fields)

/** Defects of applications and certificates. */
export const certificatesMutants = {
  'certificates.limits/later-ones-uncounted': {
    at: ['certificates.limits'],
    policy: {
      certificateState: (certificate, now) =>
        certificate.validFrom > now ? 'Expired' : policy.certificateState(certificate, now),
    },
  },
  'certificates.limits/pending-applications-uncounted': {
    at: ['certificates.enroll'],
    tables: {
      enrollments: { find: (found) => found.filter(({ status }) => status.code !== 100) },
    },
  },
  'certificates.enrol/longer-keys': {
    policy: {
      csrKeyFits: (kind, { modulusLength = 0, namedCurve }) =>
        (kind === 'rsa' && modulusLength >= 2048) ||
        (kind === 'ec' && (namedCurve === 'prime256v1' || namedCurve === 'secp384r1')),
    },
  },
  'certificates.enrol/subject-in-any-case': accepts(
    ['certificates.enroll'],
    ['enrollment-data-differ'],
    ({ body, caller, service }) => {
      const { csr } = body as { readonly csr: string }
      const { commonName = '' } = caller?.authentication.attributes ?? {}
      const text = Buffer.from(csr, 'base64').toString().toLowerCase()
      return text.includes(commonName.toLowerCase())
        ? { body: { referenceNumber: service.identifiers.reference('EH') } }
        : undefined
    },
  ),
  'certificates.enrol/key-once-only': {
    policy: { keyMayBeCertified: (_owner, holders) => holders.length === 0 },
  },
  'certificates.enrol/never-ends': {
    later: (kind, ms) => (kind === 'enrollment' ? undefined : ms),
  },
  'certificates.enrol/issued-is-unknown': {
    also: ['auth.xades.service-certificate'],
    tables: { certificates: { write: (next) => ({ ...next, fingerprint: '' }) } },
  },
  'certificates.enrol/always-for-logins': {
    tables: { enrollments: { write: (next) => ({ ...next, purpose: 'Authentication' }) } },
  },
  'certificates.enrol/always-for-offline-use': {
    tables: { enrollments: { write: (next) => ({ ...next, purpose: 'Offline' }) } },
  },
  'certificates.enrol/certificate-of-the-authority': records<object>(
    ['certificates.retrieve'],
    'certificates',
    (_certificate, { service }) => ({ certificate: service.keys.authority.certificate }),
  ),
  'certificates.enrol/offline-logs-in': {
    policy: { serviceCertificateAccepted: (_, revoked) => !revoked },
  },
  'certificates.two-years/prolonged-by-test-data': accepts(
    ['testdata.updateCertificate'],
    ['invalid-input'],
    () => ({}),
  ),
  'certificates.two-years/third-year-offline': longerFor('Offline'),
  'certificates.two-years/third-year-of-persons': longerForPersons(),
  'certificates.two-years/counted-from-the-issue': sinceTheIssue(),
  'certificates.two-years/longer-when-renewed': longerWhenRenewed('publicKey'),
  'certificates.two-years/longer-under-its-name': longerWhenRenewed('name'),
  'certificates.two-years/third-year': {
    policy: { certificateDays: (years) => policy.certificateDays(years + 1) },
  },
  'certificates.revoke/after-a-token': { policy: { revocationMethodFits: () => true } },
  'certificates.revoke/opens-still': {
    policy: { serviceCertificateAccepted: (purpose) => purpose === 'Authentication' },
  },
  'certificates.revoke/shown-as-active': {
    policy: {
      certificateState: ({ validTo }, now) => (now < validTo ? 'Active' : 'Expired'),
    },
  },
  'certificates.revoke/shown-as-expired': {
    policy: {
      certificateState: (one, now) =>
        now < one.validTo ? policy.certificateState(one, now) : 'Expired',
    },
  },
  'certificates.revoke/by-the-key': {
    tables: {
      certificates: {
        find: (found, index, _value, table) =>
          index === 'fingerprint'
            ? [...table.values()]
                .filter(({ publicKey }) => publicKey === found[0]?.publicKey)
                .slice(-1)
            : found,
      },
    },
  },
  'certificates.revoke/expired-too': {
    policy: { certificateRevocable: (state) => state === 'Active' || state === 'Expired' },
  },
  'certificates.limits/pesel-as-its-nip': {
    also: ['certificates.listed'],
    ...takenFor('Nip', ofHolder),
  },
  'certificates.limits/nip-as-its-pesel': {
    also: ['certificates.listed'],
    ...takenFor('Pesel', ofHolder),
  },
  'certificates.limits/refused-applications-count': refusedApplicationsCount,
  'certificates.limits/endless-applications': { policy: { enrollmentHasRoom: () => true } },
  'certificates.limits/endless-certificates': { policy: { certificateHasRoom: () => true } },
  'certificates.limits/revoked-count': { policy: { certificateCounts: () => true } },
  'certificates.limits/disagree': bodies(
    ['certificates.limits'],
    ({ enrollment, certificate }: Record<'enrollment' | 'certificate', Limit>) => ({
      enrollment: oneMore(enrollment),
      certificate: oneMore(certificate),
    }),
  ),
  'certificates.limits/not-looked-at-again': {
    at: ['enrollment'],
    policy: { certificateHasRoom: () => true },
  },
  'certificates.limits/of-the-context': {
    also: ['limits.subject', 'testdata.limit-simulation'],
    ...calls(['testdata.setSubjectLimits'], (call) =>
      call.caller === undefined
        ? call
        : {
            ...call,
            caller: { ...call.caller, subject: { type: 'Nip', value: nipOf(call.caller.context) } },
          },
    ),
  },
  'certificates.limits/offline-uncounted': uncounted('Offline', counting),
  'certificates.limits/authentication-uncounted': uncounted('Authentication', counting),
  'certificates.limits/offline-taken-beyond': uncounted('Offline', ['certificates.enroll']),
  'certificates.limits/below-nothing': bodies(
    ['certificates.limits'],
    (body, { service, caller }) => {
      if (caller === undefined) return {}
      const { enrollments, certificates } = usageOf(service, caller.subject)
      const room = (name: string, { limit, used: count }: { limit: number; used: number }) => ({
        [name]: { ...(body[name] as Limit), remaining: limit - count },
      })
      return { ...room('enrollment', enrollments), ...room('certificate', certificates) }
    },
  ),
  'certificates.listed/expires-after-a-day': calls(['certificates.query'], (call) => {
    const { expiresAfter, ...rest } = call.body as { expiresAfter?: string }
    return expiresAfter === undefined
      ? call
      : { ...call, body: { ...rest, expiresAfter: `${expiresAfter.slice(0, 10)}T00:00:00Z` } }
  }),
  'certificates.enrol/repeated-attributes': {
    policy: {
      csrSubjectFits: (differences) =>
        policy.csrSubjectFits(differences.filter((one) => !one.endsWith('is repeated'))),
    },
  },
  'certificates.enrol/applications-by-token-announced': bodies(['certificates.limits'], {
    canRequest: true,
  }),
  'certificates.listed/continues-as-the-whole': continuesAsTheWhole(['certificates.query']),
  'certificates.listed/filtered-pages-continue': continuesWhenFiltered(['certificates.query']),
  'certificates.listed/used-together': {
    at: ['authentication'],
    tables: {
      certificates: {
        write(next, before, { certificates }) {
          const { lastUseAt, subject } = next
          if (lastUseAt !== undefined && lastUseAt !== before?.lastUseAt)
            for (const one of certificates.by('subject', keyOf(subject)))
              certificates.put({ ...one, lastUseAt })
          return next
        },
      },
    },
  },
  'certificates.listed/in-the-own-context-only': bodies(
    ['certificates.query'],
    (_body, { caller }) =>
      caller !== undefined && caller.context.value !== caller.subject.value
        ? { certificates: [], hasMore: false }
        : {},
  ),
  'certificates.listed/also-of-the-linked-nip': takenFor('Nip', ['certificates.query']),
  'certificates.listed/retrieved-by-the-linked-nip': takenFor('Pesel', ['certificates.retrieve']),
  'certificates.listed/revoked-by-the-linked-pesel': takenFor('Nip', ['certificates.revoke']),
  'certificates.listed/any-serial-number': ignores(
    ['certificates.query'],
    'certificateSerialNumber',
  ),
  'certificates.listed/any-type': ignores(['certificates.query'], 'type'),
  'certificates.listed/any-state': ignores(['certificates.query'], 'status'),
  'certificates.listed/any-name': ignores(['certificates.query'], 'name'),
  'certificates.listed/any-end': ignores(['certificates.query'], 'expiresAfter'),
  'certificates.listed/to-everyone': ofEveryone('certificates.query'),
  'certificates.listed/fetched-by-anyone': ofEveryone('certificates.retrieve'),
  'certificates.listed/used-in-a-blocked-context': certificateUsedWhere(/blocked/),
  'certificates.listed/used-though-revoked': certificateUsedWhere(/revoked/),
  'certificates.listed/used-by-an-altered-request': certificateUsedByRefused('signature-invalid'),
  'certificates.listed/used-with-a-wrong-challenge': certificateUsedByRefused('challenge-invalid'),
  'certificates.listed/never-used': shown({ lastUseDate: null }),
  'certificates.listed/type-unknown': shown({ type: 'Offline' }),
  'certificates.listed/of-nobody': shown({
    subjectIdentifier: { type: 'Nip', value: '1111111111' },
  }),
  'certificates.listed/serial-number-of-another': shown({
    certificateSerialNumber: '0123456789ABCDEF',
  }),
  'certificates.listed/request-unknown': shown({ requestDate: '2000-01-01T00:00:00.000Z' }),
  'certificates.listed/name-lost': shown({ commonName: '' }),
  'certificates.listed/never-ends': neverEnds(['certificates.query'], 'certificates'),
  'certificates.listed/ends-early': bodies(['certificates.query'], { hasMore: false }),
  'certificates.listed/first-use-kept': {
    tables: {
      certificates: {
        write: (next, before) =>
          before?.lastUseAt === undefined ? next : { ...next, lastUseAt: before.lastUseAt },
      },
    },
  },
  'certificates.listed/retrieved-up-to-an-unknown-one': calls(['certificates.retrieve'], (call) => {
    const { certificateSerialNumbers: asked } = call.body as Readonly<Record<string, string[]>>
    const known = call.service.state.certificates
    const end = (asked ?? []).findIndex((serial) => known.get(serial) === undefined)
    return end < 0 ? call : { ...call, body: { certificateSerialNumbers: asked?.slice(0, end) } }
  }),
  'certificates.listed/spaces-of-names-collapsed': shows(['certificates.query'], collapsed),
  'certificates.revoke/none-afterwards': noneAfterARevocation,
  'certificates.enrol/revoked-with-its-key': revokedWithItsKey,
  'certificates.enrol/to-the-login-that-began': toTheLoginThatBegan(
    'certificates.enroll',
    'certificates.enrollment',
    'enrollment-unknown',
  ),
  'certificates.listed/five-at-most': calls(['certificates.retrieve'], (call) => {
    const { certificateSerialNumbers: all } = call.body as Record<string, readonly string[]>
    return { ...call, body: { certificateSerialNumbers: all?.slice(0, 5) } }
  }),
} as const satisfies Readonly<Record<string, Mutant>>
