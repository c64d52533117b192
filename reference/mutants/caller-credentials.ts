import type { OperationId } from '../../contract/endpoints.ts'
import { parseCertificate } from '../base/certificate.ts'
import { soon } from '../base/soon.ts'
import { keyOf } from '../model/entities.ts'
import { attributesOf } from '../login/subject.ts'
import { usageOf } from '../keys/certificates.ts'
import { policy } from '../policy/policy.ts'
import type { Mutant } from './mutant.ts'
import { accepts, bodies, calls, succeeds } from './rewrite.ts'
import { logIn } from './signatures.ts'

/** Defects of what callers sign in with: service tokens, certificates of the service and of others, refresh tokens. */

/** The texts of service tokens, by their references. */
const issued = new Map<string, string>()

/** Service tokens of which only a part is compared. */
const comparedBy = (partOf: (token: string) => string): Mutant => ({
  call: (call, next) => {
    if (call.operation !== 'tokens.create') return next(call)
    return soon(next(call), (given) => {
      const { referenceNumber, token } = given.body as Readonly<Record<string, string>>
      issued.set(referenceNumber ?? '', token ?? '')
      return given
    })
  },
  tables: {
    authentications: {
      write(next, before, state) {
        const envelope = before?.envelope
        if (envelope === undefined || !('token' in envelope) || next.status.code !== 450)
          return next
        const known = [...issued].find(([, token]) => partOf(token) === partOf(envelope.token))
        const token = state.tokens.get(known?.[0] ?? '')
        if (token?.status !== 'Active' || keyOf(token.context) !== keyOf(next.context)) return next
        return {
          ...next,
          token: token.referenceNumber,
          subject: token.author,
          status: { code: 200, description: 'succeeded' },
        }
      },
    },
  },
})

const parts = (token: string): string[] => token.split('|')

/** When each refresh token was last accepted, by its expiry. */
const used = new Map<number, number>()

const week = 7 * 24 * 3_600_000

/** Accepts certificates whose subject has no identifier in a form of this service, but one like it. */
const alsoReads = (form: RegExp): Mutant =>
  accepts(['auth.xades'], ['certificate-without-identifier'], (call) => {
    const [, text = ''] =
      /X509Certificate>([^<]+)</.exec(Buffer.from(call.bytes).toString('utf8')) ?? []
    const attributes = attributesOf(parseCertificate(Buffer.from(text, 'base64')))
    const named = [attributes.serialNumber, attributes.organizationIdentifier]
    return named.some((one) => one !== undefined && form.test(one)) ? logIn(call) : undefined
  })

/** Certificates of one purpose that are not counted. */
const uncounted = (purpose: string, at: readonly OperationId[]): Mutant => ({
  at,
  tables: {
    certificates: {
      find: (found, index) =>
        index === 'subject' ? found.filter((one) => one.purpose !== purpose) : found,
    },
  },
})

const counting = ['certificates.limits'] as const

interface Room {
  readonly limit: number
  readonly remaining: number
}

export const callerCredentialsMutants = {
  'auth.token.unusable-refused/by-its-secret': comparedBy((token) => parts(token).at(-1) ?? ''),
  'auth.token.unusable-refused/by-its-reference': comparedBy((token) => parts(token)[0] ?? ''),
  'auth.token.unusable-refused/by-reference-and-secret': comparedBy((token) =>
    [parts(token)[0], parts(token).at(-1)].join('|'),
  ),
  'auth.token.unusable-refused/by-its-first-characters': comparedBy((token) => token.slice(0, 100)),
  'auth.refresh.seven-days/prolonged-by-use': {
    policy: {
      refreshTokenAlive(expiresAt, now) {
        const alive =
          policy.refreshTokenAlive(expiresAt, now) || now - (used.get(expiresAt) ?? 0) < week
        if (alive) used.set(expiresAt, now)
        return alive
      },
    },
  },
  'auth.xades.accepted/own-certificates-need-no-permission': {
    tables: {
      authentications: {
        write: (next) =>
          next.credential === 'InternalCertificate' && next.status.code === 415
            ? { ...next, status: { code: 200, description: 'succeeded' } }
            : next,
      },
    },
  },
  'auth.xades.accepted/seals-need-no-permission': {
    tables: {
      authentications: {
        write: (next) =>
          next.attributes?.organizationIdentifier !== undefined && next.status.code === 415
            ? { ...next, status: { code: 200, description: 'succeeded' } }
            : next,
      },
    },
  },
  'auth.xades.service-certificate/in-the-test-environment-only': bodies(
    ['auth.status'],
    (_, { service, path }) => {
      const login = service.state.authentications.get(path['referenceNumber'] ?? '')
      return !service.environment.selfSigned && login?.credential === 'InternalCertificate'
        ? { status: { code: 460, description: 'not trusted here' } }
        : {}
    },
  ),
  'auth.xades.fingerprint/pesel-of-another-country': alsoReads(/^PNO(?!PL).*\d{11}/),
  'auth.xades.fingerprint/passport-as-pesel': alsoReads(/^PAS.*\d{11}/),
  'auth.xades.fingerprint/nip-of-another-country': alsoReads(/^TIN(?!PL).*\d{10}/),
  'auth.xades.fingerprint/vat-number-of-a-person': alsoReads(/^VATPL.*\d{10}/),
  'auth.xades.fingerprint/register-number-of-a-seal': alsoReads(/^NTR.*\d{10}/),
  'auth.sessions.described/seals-and-signatures-swapped': bodies(
    ['auth.status'],
    ({ authenticationMethod: named }) => ({
      authenticationMethod:
        named === 'QualifiedSeal'
          ? 'QualifiedSignature'
          : named === 'QualifiedSignature'
            ? 'QualifiedSeal'
            : named,
    }),
  ),
  'auth.sessions.described/own-certificates-as-signatures': bodies(
    ['auth.status'],
    ({ authenticationMethod: named }) => ({
      authenticationMethod: named === 'InternalCertificate' ? 'QualifiedSignature' : named,
    }),
  ),
  'certificates.limits/offline-uncounted': uncounted('Offline', counting),
  'certificates.limits/authentication-uncounted': uncounted('Authentication', counting),
  'certificates.limits/below-nothing': bodies(
    ['certificates.limits'],
    (body, { service, caller }) => {
      if (caller === undefined) return {}
      const { enrollments, certificates } = usageOf(service, caller.subject)
      const shown = (name: string, { limit, used: count }: { limit: number; used: number }) => ({
        [name]: { ...(body[name] as Room), remaining: limit - count },
      })
      return { ...shown('enrollment', enrollments), ...shown('certificate', certificates) }
    },
  ),
  'certificates.revoke/expired-too': {
    policy: { certificateRevocable: (state) => state === 'Active' || state === 'Expired' },
  },
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
  'transport.error-shape/unknown-format-fails': {
    exchange: (running, next) => {
      const format = running.headers['x-error-format']
      return format === undefined || format === 'problem-details'
        ? next(running)
        : new Response(null, { status: 500 })
    },
  },
  'transport.path-prefix/version-optional': succeeds(
    'unknown-path',
    (path) => path.startsWith('/api/') && !/\/v\d+/.test(path),
  ),
} as const satisfies Readonly<Record<string, Mutant>>
