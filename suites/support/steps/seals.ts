import { X509Certificate } from 'node:crypto'
import { environments } from '../../../contract/environments.ts'
import { fingerprint } from '../../../lib/node/certificate.ts'
import {
  anonymousSubject,
  freshKey,
  makeCertificate,
  personSubject,
  sealSubject,
} from '../../../lib/node/pki.ts'
import type { CertificateOptions, Credentials } from '../../../lib/node/pki.ts'
import type { Subject } from '../../../lib/node/distinguished-name.ts'
import type { Rng } from '../../../lib/random.ts'
import type { OwnContext } from '../service/contexts.ts'
import { NotOffered } from '../run/not-offered.ts'
import type { Target } from '../service/target.ts'

/** Certificates for a check's signatures: made for it if self-signed ones are accepted, else those of the profile. */

/** @throws {NotOffered} where the target accepts no self-signed certificate */
const expectSelfSigned = ({ environment }: Target): void => {
  if (!environments[environment].selfSigned)
    throw new NotOffered(
      `the target does not offer: self-signed certificates (environment ${environment})`,
    )
}

/**
 * A self-signed certificate.
 * @throws {NotOffered} where the target would refuse it for that alone
 */
export const ownCertificate = (
  target: Target,
  options: Omit<CertificateOptions, 'now'>,
): Credentials => {
  expectSelfSigned(target)
  return makeCertificate({ ...options, now: target.now() })
}

/** Certificates of a taxpayer that nobody vouches for: of an authority of its own, and a self-signed one of a person. */
export const unvouched = (nip: string, { now }: Pick<Target, 'now'>): readonly Credentials[] => {
  const issuer = {
    issuer: { commonName: 'An authority of its own', countryName: 'PL' },
    issuerKey: freshKey('p256'),
  }
  return [
    makeCertificate({ subject: sealSubject(nip), ...issuer, now: now() }),
    makeCertificate({ subject: personSubject({ nip }), now: now() }),
  ]
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

/** A self-signed certificate that names nobody, whether the target accepts it or not, and its fingerprint. */
export const nameless = (
  { now }: Pick<Target, 'now'>,
  rng: Rng,
  options: Partial<CertificateOptions> = {},
) => {
  const subject = anonymousSubject(`Bezimienna ${rng.digits(6)}`)
  const credentials = makeCertificate({ subject, ...options, now: now() })
  const identifier = { type: 'Fingerprint', value: fingerprint(credentials.certificate) } as const
  return { credentials, identifier }
}

/**
 * A certificate that names nobody, and the fingerprint that permissions are granted to.
 * @throws {NotOffered} where the target accepts no self-signed certificate
 */
export const namelessCertificate = (
  target: Target,
  rng: Rng,
  options: Partial<CertificateOptions> = {},
) => {
  expectSelfSigned(target)
  return nameless(target, rng, options)
}

/** The attributes of a seal, as Node writes their types. */
const names: Readonly<Record<string, keyof Subject>> = {
  CN: 'commonName',
  O: 'organizationName',
  OU: 'organizationalUnitName',
  C: 'countryName',
  organizationIdentifier: 'organizationIdentifier',
}

/** A name in a certificate, for an imitation. */
export const nameIn = ({ certificate }: Credentials, part: 'issuer' | 'subject'): Subject =>
  Object.fromEntries(
    new X509Certificate(certificate)[part].split('\n').flatMap((line) => {
      const [short = '', ...value] = line.split('=')
      const name = names[short]
      return name === undefined ? [] : [[name, value.join('=')]]
    }),
  )
