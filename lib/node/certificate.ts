import { X509Certificate, createHash } from 'node:crypto'
import { certificateDer } from '../der.ts'
import { nodeCodec } from './codec.ts'
import { issuersAndSerials, keyUsageOf } from './pki.ts'
import type { IssuerAndSerial } from './pki.ts'

/** What a certificate says. */
export interface CertificateFacts {
  /** `rsa`, `ec` or another name of Node's. */
  readonly keyType: string
  /** Of an RSA key. */
  readonly keyBits: number | undefined
  /** Unix milliseconds. */
  readonly validFrom: number
  /** Unix milliseconds. */
  readonly validTo: number
  /** SHA-256 of the DER, Base64: the service's `certificateId`. */
  readonly certificateId: string
  /** SHA-256 of the SubjectPublicKeyInfo, Base64: the service's `publicKeyId`. */
  readonly publicKeyId: string
  /** Names of the set bits of keyUsage; undefined without the extension. */
  readonly keyUsage: readonly string[] | undefined
}

/**
 * Reads a certificate given as PEM or as Base64 of the DER.
 * @throws when it cannot be read
 */
export function readCertificate(text: string): CertificateFacts {
  const der = Buffer.from(certificateDer(nodeCodec, text))
  const certificate = new X509Certificate(der)
  const { publicKey } = certificate
  return {
    keyType: publicKey.asymmetricKeyType ?? 'unknown',
    keyBits: publicKey.asymmetricKeyDetails?.modulusLength,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    certificateId: digest(der, 'base64'),
    publicKeyId: digest(publicKey.export({ type: 'spki', format: 'der' }), 'base64'),
    keyUsage: keyUsageOf(der),
  }
}

const digest = (bytes: Buffer, encoding: 'base64' | 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding)

/** SHA-256 of a certificate as the service names it: 64 upper-case hexadecimal digits. */
export const fingerprint = (der: Buffer): string => digest(der, 'hex').toUpperCase()

/** Base64 of the SHA-256 of a certificate, as XAdES names it. */
export const certificateDigest = (der: Buffer): string => digest(der, 'base64')

/** Issuer and serial number of a certificate, DER. */
export function issuerAndSerial(der: Buffer): IssuerAndSerial {
  const known = issuersAndSerials.get(der)
  if (known !== undefined) return known
  const { issuer, serialNumber } = new X509Certificate(der)
  const said = {
    issuer: issuer.split('\n').toReversed().join(','),
    serial: BigInt(`0x${serialNumber}`).toString(),
  }
  issuersAndSerials.set(der, said)
  return said
}

/** A certificate as PEM. */
export const toPem = (der: Buffer): string => new X509Certificate(der).toString()
