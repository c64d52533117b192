import { X509Certificate, createHash } from 'node:crypto'

const latest = new Map<string, X509Certificate>()

/**
 * Parses a certificate (DER). The latest ones are cached: a login uses the same ones several times, and parsing takes
 * longer than most other parts of it.
 * @throws when it cannot be read
 */
export const parseCertificate = (der: Uint8Array): X509Certificate => {
  const key = Buffer.from(der).toString('latin1')
  const known = latest.get(key)
  if (known !== undefined) return known
  const certificate = new X509Certificate(der)
  if (latest.size === 64) latest.delete(latest.keys().next().value ?? '')
  latest.set(key, certificate)
  return certificate
}

type Decoded = ReturnType<X509Certificate['toLegacyObject']>

const decoded = new WeakMap<X509Certificate, Decoded>()

/**
 * The names in a certificate, decoded once: a login asks for them three times.
 * @throws when they cannot be read
 */
export const decodeCertificate = (certificate: X509Certificate): Decoded => {
  const known = decoded.get(certificate) ?? certificate.toLegacyObject()
  decoded.set(certificate, known)
  return known
}

/** SHA-256 of a certificate, upper-case hex. */
export const fingerprintOf = (der: Uint8Array): string =>
  createHash('sha256').update(der).digest('hex').toUpperCase()
