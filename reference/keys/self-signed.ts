import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import {
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  cryptoProvider,
} from '@peculiar/x509'
import type { Instant } from '../base/instants.ts'

/** Keys with certificates that they signed themselves, and the algorithms of all keys of the service. */

cryptoProvider.set(webcrypto as never)

export const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const
export const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** 16 upper-case hex digits that are a positive number in DER. */
export const serial = (): string => {
  const bytes = randomBytes(8)
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes.toString('hex').toUpperCase()
}

/** A key pair with a certificate that it signed itself. `algorithm` RSA 2048 unless `P-256`. */
export const selfSigned = async (request: {
  readonly subject: string
  readonly algorithm?: 'RSA' | 'P-256'
  /** Names and addresses of the host that presents it. */
  readonly hosts?: readonly string[]
  readonly validFrom: Instant
  readonly validTo: Instant
}): Promise<{ certificatePem: string; keyPem: string }> => {
  const algorithm = request.algorithm === 'P-256' ? p256 : rsa
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: request.subject,
    notBefore: new Date(request.validFrom),
    notAfter: new Date(request.validTo),
    signingAlgorithm: algorithm,
    keys: keys,
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      ...(request.hosts === undefined
        ? []
        : [
            new SubjectAlternativeNameExtension(
              request.hosts.map((value) => ({
                type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
                value,
              })),
            ),
          ]),
    ],
  })
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return {
    certificatePem: certificate.toString('pem'),
    keyPem: PemConverter.encode(pkcs8, 'PRIVATE KEY'),
  }
}
