import { X509Certificate, createPrivateKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Credentials } from './pki.ts'
import { readPkcs12 } from './pki.ts'

/** A certificate and its private key, both PEM, the key not encrypted. */
export interface PemPair {
  readonly certificate: string
  readonly key: string
}

/** Certificate, key and passphrase do not belong together, or cannot be read. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

const attempt = <T>(sentence: string, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    throw new CredentialsError(`${sentence} (${(cause as Error).message})`, { cause })
  }
}

const pairOf = (name: string, certificate: X509Certificate, key: KeyObject): PemPair => {
  if (!certificate.checkPrivateKey(key))
    throw new CredentialsError(
      `${name}: the private key does not belong to the certificate of ${certificate.subject.replaceAll('\n', ', ')}`,
    )
  return {
    certificate: certificate.toString(),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/**
 * Checks a PEM pair and decrypts the key.
 * @throws {CredentialsError} when one cannot be read, the passphrase is wrong, or the two do not belong together
 */
export const credentialsFromPem = (
  name: string,
  { certificate, key }: PemPair,
  passphrase: string | undefined,
): PemPair => {
  const encrypted = /ENCRYPTED/.test(key)
  if (encrypted && passphrase === undefined)
    throw new CredentialsError(`${name}: the private key is encrypted; add "passphrase"`)
  return pairOf(
    name,
    attempt(`${name}: expected a PEM certificate`, () => new X509Certificate(certificate)),
    attempt(
      `${name}: the private key cannot be read${encrypted ? '; is the passphrase right?' : ''}`,
      () =>
        createPrivateKey({ key, ...(encrypted && passphrase !== undefined ? { passphrase } : {}) }),
    ),
  )
}

/**
 * Reads the certificate and key of a PKCS#12 file.
 * @throws {CredentialsError} when it cannot be read, or the passphrase is wrong
 */
export const credentialsFromPkcs12 = (
  name: string,
  bytes: Buffer,
  passphrase: string | undefined,
): PemPair => {
  const { certificates, key } = attempt(
    `${name}: the PKCS#12 file cannot be read; is the passphrase right?`,
    () => readPkcs12(bytes, passphrase ?? ''),
  )
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  const all = certificates.map((der) => new X509Certificate(der))
  const own = all.find((certificate) => certificate.checkPrivateKey(privateKey)) ?? all[0]
  if (own === undefined) throw new CredentialsError(`${name}: the PKCS#12 file has no certificate`)
  return pairOf(name, own, privateKey)
}

/** The credentials that a PEM pair holds. */
export const toCredentials = ({ certificate, key }: PemPair): Credentials => ({
  certificate: Buffer.from(new X509Certificate(certificate).raw),
  privateKey: createPrivateKey(key),
})
