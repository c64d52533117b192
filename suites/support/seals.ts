import { environments } from '../../contract/environments.ts'
import { fingerprint } from '../../lib/node/certificate.ts'
import {
  anonymousSubject,
  makeCertificate,
  personSubject,
  sealSubject,
} from '../../lib/node/pki.ts'
import type { CertificateOptions, Credentials } from '../../lib/node/pki.ts'
import type { Rng } from '../../lib/random.ts'
import type { OwnContext } from './contexts.ts'
import { NotOffered } from './not-offered.ts'
import type { Target } from './target.ts'

/** Certificates for a check's signatures: made for it if self-signed ones are accepted, else those of the profile. */

/**
 * A self-signed certificate.
 * @throws {NotOffered} where the target would refuse it for that alone
 */
export const ownCertificate = (
  target: Target,
  options: Omit<CertificateOptions, 'now'>,
): Credentials => {
  if (environments[target.environment].selfSigned)
    return makeCertificate({ ...options, now: target.now() })
  throw new NotOffered(
    `the target does not offer: self-signed certificates (environment ${target.environment})`,
  )
}

/**
 * A seal of the check's context with keys of a kind.
 * @throws {NotOffered} where the target accepts no self-signed seal and the profile has none of that kind
 */
export const sealOf = (target: Target, own: OwnContext, keys: 'rsa' | 'p256'): Credentials => {
  if (environments[target.environment].selfSigned)
    return ownCertificate(target, { subject: sealSubject(own.nip), keys })
  const kind = own.credentials.privateKey.asymmetricKeyType === 'ec' ? 'p256' : 'rsa'
  if (kind === keys) return own.credentials
  throw new NotOffered(
    `the target does not offer: a certificate of ${own.type} ${own.value} with ${keys === 'rsa' ? 'an RSA' : 'a P-256'} key`,
  )
}

/** A self-signed certificate of a person, whether the target accepts it or not. */
export const selfSignedPerson = (nip: string, target: Pick<Target, 'now'>): Credentials =>
  makeCertificate({ subject: personSubject({ nip }), now: target.now() })

/**
 * A certificate that names nobody, and the fingerprint that permissions are granted to.
 * @throws {NotOffered} where the target accepts no self-signed certificate
 */
export const namelessCertificate = (
  target: Target,
  rng: Rng,
  options: Partial<CertificateOptions> = {},
) => {
  const subject = anonymousSubject(`Bezimienna ${rng.digits(6)}`)
  const credentials = ownCertificate(target, { subject, ...options })
  const identifier = { type: 'Fingerprint', value: fingerprint(credentials.certificate) } as const
  return { credentials, identifier }
}
