import { X509Certificate, createHash, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import forge from 'node-forge'
import { certificateDer } from '../der.ts'
import { nodeCodec } from './codec.ts'
import type { Credentials } from './pki.ts'

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

const usageNames = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
] as const

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
    keyUsage: keyUsage(der),
  }
}

// Node gives extended key usages only; the plain ones are read with node-forge's ASN.1.
function keyUsage(der: Buffer): string[] | undefined {
  const { asn1, util } = forge
  const wanted = asn1.oidToDer('2.5.29.15').getBytes()
  const toBeSigned = (asn1.fromDer(der.toString('binary')).value as forge.asn1.Asn1[])[0]
  const parts = (toBeSigned?.value ?? []) as forge.asn1.Asn1[]
  const last = parts.at(-1)
  if (last?.tagClass !== asn1.Class.CONTEXT_SPECIFIC || last.type !== (3 as forge.asn1.Type)) {
    return undefined
  }
  const extensions = ((last.value as forge.asn1.Asn1[])[0]?.value ?? []) as forge.asn1.Asn1[]
  const found = extensions.find(
    (extension) => (extension.value as forge.asn1.Asn1[])[0]?.value === wanted,
  )
  const octets = (found?.value as forge.asn1.Asn1[] | undefined)?.at(-1)?.value
  if (typeof octets !== 'string') return undefined
  // Tag, length, count of unused bits, then the bits from the highest on.
  const bits = Number.parseInt(util.bytesToHex(octets).slice(6, 8), 16)
  return usageNames.filter((_, place) => bits & (0x80 >> place))
}

const digest = (bytes: Buffer, encoding: 'base64' | 'hex'): string =>
  createHash('sha256').update(bytes).digest(encoding)

/** SHA-256 of a certificate as the service names it: 64 upper-case hexadecimal digits. */
export const fingerprint = (der: Buffer): string => digest(der, 'hex').toUpperCase()

/** Base64 of the SHA-256 of a certificate, as XAdES names it. */
export const certificateDigest = (der: Buffer): string => digest(der, 'base64')

/** Issuer (RFC 4514, as Node writes the names) and decimal serial number of a certificate. */
export function issuerAndSerial(der: Buffer): { readonly issuer: string; readonly serial: string } {
  const certificate = new X509Certificate(der)
  const issuer = certificate.issuer
    .split('\n')
    .toReversed()
    .map((part) => part.replace(/[,+"\\<>;]/g, String.raw`\$&`))
    .join(',')
  return { issuer, serial: BigInt(`0x${certificate.serialNumber}`).toString() }
}

/** A certificate as PEM. */
export const toPem = (der: Buffer): string => new X509Certificate(der).toString()

/** The private key of credentials as PEM (PKCS#8). */
export const keyToPem = (credentials: Credentials): string =>
  credentials.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/**
 * Credentials from PEM files.
 * @throws when one cannot be read, or the two do not belong together
 */
export function loadCredentials(certificatePath: string, keyPath: string): Credentials {
  const certificate = new X509Certificate(readFileSync(certificatePath))
  const privateKey = createPrivateKey(readFileSync(keyPath))
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Error(`${keyPath} is not the key of ${certificatePath}`)
  }
  return { certificate: Buffer.from(certificate.raw), privateKey }
}
