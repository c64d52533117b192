import type { X509Certificate } from 'node:crypto'
import { constants, createHash } from 'node:crypto'
import { canonicalElement } from './canonical.ts'
import { decodeCertificate, parseCertificate } from '../base/certificate.ts'
import { fromBase64 } from '../base/crypto.ts'
import type { Policy } from '../policy/policy.ts'
import { refuse } from '../base/refusals.ts'
import type { SignatureParts } from './signature-parts.ts'

/** The value of a signature under the certificate that its signed properties name. */

const invalid = (why: string) => refuse('signature-invalid', why)

/** The certificate of the key info whose digest was signed, DER; the first, where all of the key info was signed. */
export const chosenCertificate = (parts: SignatureParts, policy: Policy): Uint8Array => {
  const given = parts.certificates.map((text) => fromBase64(text))
  const [first] = given
  if (first === undefined) throw invalid('the signature carries no certificate')
  const signed = parts.certificateDigest
  if (signed === undefined) {
    // XAdES-BES has a choice: the digest among the signed properties, or the key info signed as well.
    if (parts.keyInfoReference === undefined) throw invalid('the signing certificate is not named')
    return first
  }
  const hash = policy.digestAlgorithm(signed.method)
  if (hash === undefined) throw invalid(`the digest ${signed.method} is not accepted`)
  const found = given.find(
    (der) =>
      der !== undefined &&
      policy.certificateDigestFits(createHash(hash).update(der).digest('base64'), signed.value),
  )
  if (found === undefined) throw invalid('the digest of the signing certificate does not fit')
  if (signed.serial !== undefined) {
    const { serialNumber } = readCertificate(found)
    if (!/^\d+$/.test(signed.serial) || BigInt(signed.serial) !== BigInt(`0x${serialNumber}`)) {
      throw invalid('the serial number of the signing certificate does not fit')
    }
  }
  return found
}

/** Reads a certificate, including its key and names. @throws refusal signature-invalid */
const readCertificate = (der: Uint8Array): X509Certificate => {
  try {
    const certificate = parseCertificate(der)
    // Keys and names are decoded when they are first asked for, and some cannot be.
    void certificate.publicKey
    decodeCertificate(certificate)
    return certificate
  } catch {
    throw invalid('the certificate cannot be read')
  }
}

/** RFC 6931 has r and s side by side; some libraries write them as DER, which says the same. */
const ecdsaEncodings = ['ieee-p1363', 'der'] as const

const paddings = {
  rsa: { padding: constants.RSA_PKCS1_PADDING },
  'rsa-pss': {
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  },
} as const

/** Verifies the value over the canonical form of the signed info. */
export const verifySignedInfo = (
  parts: SignatureParts,
  certificate: Uint8Array,
  policy: Policy,
): void => {
  const algorithm = policy.signatureAlgorithm(parts.signatureMethod)
  if (algorithm === undefined) throw invalid(`the method ${parts.signatureMethod} is not accepted`)
  const { publicKey } = readCertificate(certificate)
  const kind = publicKey.asymmetricKeyType
  const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {}
  const wanted = algorithm.kind === 'ec' ? ['ec'] : ['rsa', 'rsa-pss']
  if (!wanted.includes(kind ?? '')) throw invalid('the method does not fit the key')
  const bits = modulusLength ?? Number(/\d{3}/.exec(namedCurve ?? '')?.[0] ?? 0)
  if (!policy.keyStrongEnough(algorithm.kind, bits)) throw invalid('the key is too short')
  const withComments = parts.canonicalization.uri.endsWith('WithComments')
  const signed = Buffer.from(
    canonicalElement(parts.signedInfo, parts.canonicalization, withComments),
  )
  const value = fromBase64(parts.signatureValue)
  if (value === undefined) throw invalid('the signature value is not Base64')
  const keys =
    algorithm.kind === 'ec'
      ? ecdsaEncodings.map((dsaEncoding) => ({ key: publicKey, dsaEncoding }))
      : [{ key: publicKey, ...paddings[algorithm.kind] }]
  if (!keys.some((key) => policy.signatureVerifies(algorithm.hash, signed, key, value)))
    throw invalid('the signature value does not verify')
}
