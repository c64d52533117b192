import type { OperationId } from '../../contract/endpoints.ts'
import { reached } from '../base/wording.ts'
import type { SubjectIdentifier } from '../model/entities.ts'
import { nipOf } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { aliasesOf } from '../rights/rights.ts'
import type { Mutant } from './mutant.ts'
import type { Fields } from './rewrite.ts'
import { bodies, calls, ignores, neverEnds, records } from './rewrite.ts'

/** Defects of applications and certificates. */

const shown = (fields: Fields): Mutant => records(['certificates.query'], 'certificates', fields)

/** An operation that finds the certificates of every subject. */
const ofEveryone = (operation: OperationId): Mutant => ({
  at: [operation],
  tables: {
    certificates: {
      find: (found, index, _value, table) => (index === 'subject' ? [...table.values()] : found),
    },
  },
})

interface Limit {
  readonly limit: number
  readonly remaining: number
}
interface Limits {
  readonly enrollment: Limit
  readonly certificate: Limit
}

const oneMore = ({ limit, remaining }: Limit): Limit => ({
  limit: limit + 1,
  remaining: remaining + 1,
})

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

/** Callers who are taken for the one with the linked identifier of a kind. */
const takenFor = (kind: SubjectIdentifier['type'], at: readonly OperationId[]): Mutant =>
  calls(at, (call) => {
    const { caller, service } = call
    const other = caller && aliasesOf(service, caller.subject).find((alias) => alias.type === kind)
    return caller === undefined || other === undefined
      ? call
      : { ...call, caller: { ...caller, subject: other } }
  })

export const certificatesMutants = {
  'certificates.limits/pesel-as-its-nip': {
    also: ['certificates.listed'],
    ...takenFor('Nip', ofHolder),
  },
  'certificates.limits/nip-as-its-pesel': {
    also: ['certificates.listed'],
    ...takenFor('Pesel', ofHolder),
  },
  'certificates.listed/also-of-the-linked-nip': takenFor('Nip', ['certificates.query']),
  'certificates.listed/retrieved-by-the-linked-nip': takenFor('Pesel', ['certificates.retrieve']),
  'certificates.listed/revoked-by-the-linked-pesel': takenFor('Nip', ['certificates.revoke']),

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
  'certificates.limits/refused-applications-count': {
    at: ['certificates.enroll'],
    async call(call, next) {
      try {
        return await next(call)
      } catch (error) {
        const { service, caller, now } = call
        if (caller !== undefined)
          service.state.enrollments.put({
            referenceNumber: service.identifiers.reference('EH'),
            subject: caller.subject,
            name: '',
            purpose: 'Authentication',
            publicKey: '',
            requestedAt: now,
            attributes: {},
            status: reached('application', 100),
          })
        throw error
      }
    },
  },
  'certificates.enrol/offline-logs-in': {
    policy: { serviceCertificateAccepted: (_, revoked) => !revoked },
  },
  'certificates.two-years/third-year': {
    policy: { certificateDays: (years) => policy.certificateDays(years + 1) },
  },
  'certificates.revoke/after-a-token': {
    policy: { revocationMethodFits: () => true },
  },
  'certificates.revoke/opens-still': {
    policy: { serviceCertificateAccepted: (purpose) => purpose === 'Authentication' },
  },
  'certificates.revoke/shown-as-active': {
    policy: {
      certificateState: ({ validTo }, now) => (now < validTo ? 'Active' : 'Expired'),
    },
  },
  'certificates.limits/endless-applications': {
    policy: { enrollmentHasRoom: () => true },
  },
  'certificates.limits/endless-certificates': {
    policy: { certificateHasRoom: () => true },
  },
  'certificates.limits/revoked-count': {
    policy: { certificateCounts: () => true },
  },
  'certificates.limits/disagree': bodies(
    ['certificates.limits'],
    ({ enrollment, certificate }: Limits) => ({
      enrollment: oneMore(enrollment),
      certificate: oneMore(certificate),
    }),
  ),
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
} as const satisfies Readonly<Record<string, Mutant>>
