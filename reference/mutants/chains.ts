import { parseCertificate } from '../base/certificate.ts'
import { keyOf } from '../model/entities.ts'
import type { Authentication } from '../model/entities.ts'
import { policy } from '../policy/policy.ts'
import { certificateIn, keepsOut, letsIn } from './certificate-readers.ts'
import type { Mutant } from './mutant.ts'
import { accepts, bodies, refuses } from './rewrite.ts'
import { logIn } from './signed-documents.ts'

/** Defects in how a certificate is chosen, dated and traced to its issuer. */

const readable = (certificate: string) => parseCertificate(Buffer.from(certificate, 'base64'))

/** A signature by the key of any certificate that it carries is one of the certificate that its properties name. */
export const byAnyCertificate: Mutant = accepts(['auth.xades'], ['signature-invalid'], (call) =>
  Buffer.from(call.bytes).toString().split('<ds:X509Certificate>').length > 2
    ? logIn(call)
    : undefined,
)

/** Who asks for no verification of the chain gets none. */
export const unverifiedOnRequest = (): Mutant => {
  let isAsked = false
  return {
    at: ['auth.xades', 'authentication'],
    exchange(running, next) {
      if (running.exchange.operation === 'auth.xades')
        isAsked = running.exchange.path.includes('verifyCertificateChain=false')
      return next(running)
    },
    ...letsIn(460, () => isAsked),
  }
}

/** The name of the issuer is proof enough of it. */
export const byTheNameOfTheIssuer = (): Mutant => {
  let authority: string | undefined
  return {
    at: ['auth.xades', 'authentication'],
    call(call, next) {
      authority = readable(call.service.keys.authority.certificate).subject
      return next(call)
    },
    ...letsIn(460, ({ certificate = '' }) => readable(certificate).issuer === authority),
  }
}

/** A validity that ends after 2049, whose years have four digits, cannot be read. */
export const untilTwentyFifty: Mutant = refuses(
  ['auth.xades'],
  'certificate-refused',
  ({ bytes }) => Date.parse(certificateIn(bytes)?.validTo ?? '') >= Date.UTC(2050, 0),
)

/** Keys from these lengths on are long enough, by their kind. */
export const shorterKeys = (from: Readonly<Record<string, number>>): Mutant => ({
  policy: {
    keyStrongEnough: (kind, bits) =>
      policy.keyStrongEnough(kind, bits) || bits >= (from[kind] ?? Infinity),
  },
})

/** The chain of a certificate of the service cannot be verified. */
export const ownChainUnknown: Mutant = keepsOut(
  ({ credential, verifyChain }) => credential === 'InternalCertificate' && verifyChain === true,
)

/** Certificates that the service issued are accepted in the test environment only. */
export const trustedInTestOnly: Mutant = bodies(['auth.status'], (_, { service, path }) => {
  const login = service.state.authentications.get(path['referenceNumber'] ?? '')
  return !service.environment.selfSigned && login?.credential === 'InternalCertificate'
    ? { status: { code: 460, description: 'not trusted here' } }
    : {}
})

const nameOf = ({ subject }: Authentication): string | undefined => subject && keyOf(subject)

/** A subject that logged in to a context with an issued certificate may use any other there, once it came so far. */
export const onceVouchedFor = (reached: 'validUntil' | 'refreshedAt'): Mutant =>
  letsIn(460, (login, { authentications }) =>
    authentications
      .by('context', keyOf(login.context))
      .some(
        (one) =>
          one.credential === 'InternalCertificate' &&
          one.status.code === 200 &&
          one[reached] !== undefined &&
          nameOf(one) === nameOf(login),
      ),
  )
